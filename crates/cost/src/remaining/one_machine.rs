//! One machine, and jobs that need it one after the other.
//!
//! Each job has a head (it cannot begin earlier), a length, and a tail (what comes after it). If jobs may be interrupted, the best order is to work at any time on the available job with the longest
//! tail (Jackson 1955); the time when the last tail is over is a lower bound for all orders (Carlier 1982, *The one-machine sequencing problem*).

/// A job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Job {
    pub(super) head: i64,
    pub(super) length: i64,
    pub(super) tail: i64,
}

/// The jobs of a machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    jobs: Vec<Job>,
    /// Jobs that are available: tail, and what is left of the length.
    available: Vec<(i64, i64)>,
}

impl Machine {
    pub(super) fn clear(&mut self) {
        self.jobs.clear();
    }

    pub(super) fn add(&mut self, job: Job) {
        self.jobs.push(job);
    }

    /// Nobody can begin earlier than this.
    pub(super) fn free_from(&mut self, time: i64) {
        for job in &mut self.jobs {
            job.head = job.head.max(time);
        }
    }

    /// When the last job and its tail are over at the earliest.
    pub(super) fn bound(&mut self) -> i64 {
        self.jobs.sort_unstable_by_key(|job| job.head);
        self.available.clear();
        let (mut now, mut last, mut next) = (i64::MIN, i64::MIN, 0);
        loop {
            if self.available.is_empty() {
                let Some(job) = self.jobs.get(next) else { return last };
                now = now.max(job.head);
            }
            while let Some(job) = self.jobs.get(next).filter(|job| job.head <= now) {
                let at = self.available.partition_point(|&(tail, _)| tail < job.tail);
                self.available.insert(at, (job.tail, job.length));
                next += 1;
            }
            let Some((tail, left)) = self.available.pop() else { return last };
            let until = self.jobs.get(next).map_or(i64::MAX, |job| job.head);
            if now + left <= until {
                now += left;
                last = last.max(now + tail);
            } else {
                self.available.push((tail, left - (until - now)));
                now = until;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(jobs: &[(i64, i64, i64)]) -> i64 {
        let mut machine = Machine::default();
        for &(head, length, tail) in jobs {
            machine.add(Job { head, length, tail });
        }
        machine.bound()
    }

    #[test]
    fn jobs_wait_for_each_other() {
        assert_eq!(bound(&[]), i64::MIN);
        assert_eq!(bound(&[(3, 4, 5)]), 12);
        assert_eq!(bound(&[(0, 4, 0), (0, 5, 0)]), 9);
        // Carlier's example: the best schedule without interruption takes 50.
        let carlier = [(10, 5, 7), (13, 6, 26), (11, 7, 24), (20, 4, 21), (30, 3, 8), (0, 6, 17), (30, 2, 0)];
        assert_eq!(bound(&carlier), 49);
    }
}

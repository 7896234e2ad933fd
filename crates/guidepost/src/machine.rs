//! Defaults that depend on the machine.

use guidepost_answer::Limits;
use guidepost_verify::Settings;

/// The settings of the command where nothing else is asked for: `auto`, no run, and four fifths of the machine's memory.
pub fn default_settings() -> Settings {
    let limits = Limits { memory: default_memory_limit(), ..Limits::default() };
    Settings { limits, ..Settings::default() }
}

/// Four fifths of the machine's memory in bytes, where the system tells.
pub fn default_memory_limit() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kibibytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kibibytes << 10) / 5 * 4)
}

//! Figures side by side.

use super::{Figure, Point};

pub(super) const MARGIN: f64 = 16.0;
pub(super) const TITLE: f64 = 26.0;
/// Figures that would make a row wider than this go to the next one.
const SHEET_WIDTH: f64 = 1700.0;

/// Figures on one sheet, as a file of its own.
pub struct Sheet {
    /// The figures, with their titles.
    pub figures: Vec<Figure>,
}

/// Where the figures of a sheet stand.
pub(super) struct Placed<'a> {
    /// Each with the upper left corner of its title.
    pub(super) figures: Vec<(&'a Figure, Point)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Sheet {
    /// Puts the figures into rows.
    pub(super) fn placed(&self) -> Placed<'_> {
        let (mut x, mut y, mut row, mut widest) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut figures = Vec::new();
        for figure in &self.figures {
            let extent = figure.extent();
            let title = super::text_width(std::slice::from_ref(&figure.title)) * 1.2;
            let (width, height) =
                (extent.width().max(title) + 2.0 * MARGIN, extent.height() + TITLE + 2.0 * MARGIN);
            if x > 0.0 && x + width > SHEET_WIDTH {
                (x, y, row) = (0.0, y + row, 0.0);
            }
            figures.push((figure, Point::new(x + MARGIN, y + MARGIN)));
            x += width;
            row = row.max(height);
            widest = widest.max(x);
        }
        Placed { figures, width: widest.max(40.0), height: (y + row).max(40.0) }
    }
}

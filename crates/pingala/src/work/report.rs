//! What the planner says: for everybody to print, for students of algorithms to take apart.

/// A plan or an explanation that can be printed: `Display` gives the line or the table. With the feature `study` it is the plan
/// or the explanation itself.
#[cfg(any(test, feature = "study"))]
pub type Report<T> = T;

/// A plan or an explanation that can be printed: `Display` gives the line or the table. With the feature `study` it is the plan
/// or the explanation itself.
#[cfg(not(any(test, feature = "study")))]
#[derive(Clone, Debug, PartialEq)]
pub struct Report<T>(T);

#[cfg(not(any(test, feature = "study")))]
impl<T: core::fmt::Display> core::fmt::Display for Report<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// The report of it.
pub(crate) fn report<T>(said: T) -> Report<T> {
    #[cfg(any(test, feature = "study"))]
    return said;
    #[cfg(not(any(test, feature = "study")))]
    return Report(said);
}

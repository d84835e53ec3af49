//! Many cycles in one call.

use crate::error::Result;
use crate::library::Place;
use crate::model::{Input, Model, Output};

impl Model {
    /// Runs one cycle for each row of `stimulus` in a single call.
    ///
    /// Each cycle sets `inputs` from its row, takes the clock low, reads `outputs` as a row of
    /// `response`, and takes the clock high. Stops after `$finish`. Returns the number of cycles run;
    /// on an error `response` holds the rows up to the failing cycle.
    ///
    /// # Panics
    /// If the stimulus is not whole rows, `response` has too few, or a port is wider than 64 bits.
    /// Values are not checked against the ports' widths: mask them.
    pub fn run(
        &mut self,
        clock: Input,
        inputs: &[Input],
        stimulus: &[u64],
        outputs: &[Output],
        response: &mut [u64],
    ) -> Result<usize> {
        let cycles = stimulus.len().checked_div(inputs.len()).unwrap_or(0);
        assert_eq!(
            stimulus.len(),
            cycles * inputs.len(),
            "stimulus must be whole rows"
        );
        assert!(
            response.len() >= cycles * outputs.len(),
            "response has too few rows"
        );
        let place = |index: usize| {
            assert!(
                self.places[index].bytes <= 8,
                "`{}` is too wide for run",
                self.name(index)
            );
            self.places[index]
        };
        let from: Vec<Place> = inputs.iter().map(|port| place(port.0)).collect();
        let to: Vec<Place> = outputs.iter().map(|port| place(port.0)).collect();
        let Place { address, bytes } = self.places[clock.0];
        assert_eq!(bytes, 1, "`{}` is no clock", self.name(clock.0));
        let mut done = 0;
        // SAFETY: the instance and its ports are live, and the lengths are those of the slices.
        let status = unsafe {
            (self.design.functions.run)(
                self.instance.as_ptr(),
                address,
                from.as_ptr(),
                from.len(),
                to.as_ptr(),
                to.len(),
                stimulus.as_ptr(),
                response.as_mut_ptr(),
                cycles,
                &mut done,
            )
        };
        self.check(status).map(|()| done)
    }
}

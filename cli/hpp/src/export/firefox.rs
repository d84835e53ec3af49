//! A profile for the Firefox Profiler: one weighted sample for each path, its frames as in a flame graph.

use anyhow::Result;
use fxprof_processed_profile::{
    CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, Profile, ReferenceTimestamp,
    SamplingInterval, Timestamp, WeightType,
};

use super::{Input, flame};

/// One JSON object: Firefox's processed profile format.
pub fn write(input: &Input<'_>) -> Result<String> {
    let start = ReferenceTimestamp::from_millis_since_unix_epoch(0.0);
    let mut profile = Profile::new(&input.name, start, SamplingInterval::from_millis(1));
    let begin = Timestamp::from_millis_since_reference(0.0);
    let process = profile.add_process(&input.name, 1, begin);
    let thread = profile.add_thread(process, 1, begin, true);
    profile.set_thread_name(thread, &input.report.counted.to_string());
    profile.set_thread_samples_weight_type(thread, WeightType::Samples);
    let scale = scale(input);
    for (millisecond, path) in input.report.paths.iter().enumerate() {
        let mut frames = Vec::new();
        for frame in flame::frames(path) {
            frames.push(FrameInfo {
                frame: Frame::Label(profile.intern_string(&frame)),
                category_pair: CategoryHandle::OTHER.into(),
                flags: FrameFlags::empty(),
            });
        }
        let stack = profile.intern_stack_frames(thread, frames.into_iter());
        let weight = i32::try_from(path.count / scale).expect("scaled to fit");
        let time = Timestamp::from_millis_since_reference(millisecond as f64);
        profile.add_sample(thread, time, stack, CpuDelta::ZERO, weight);
    }
    Ok(serde_json::to_string(&profile)? + "\n")
}

/// What counts are divided by: a weight of this format has 32 bits.
fn scale(input: &Input<'_>) -> u64 {
    let greatest = input.report.paths.iter().map(|path| path.count).max();
    greatest.unwrap_or(0) / (i32::MAX as u64 + 1) + 1
}

//! Programs that run on this machine and tell a probe each block they enter: two of those the thesis measures, one like a third,
//! and loops that do one operation.

use std::hint::black_box;

/// Is called for each block.
pub trait Probe {
    fn enter(&mut self, block: u64);
}

/// The program alone.
impl Probe for () {
    #[inline(always)]
    fn enter(&mut self, _block: u64) {}
}

impl Probe for hpp_paths::subpath::SubpathProfiler {
    #[inline]
    fn enter(&mut self, block: u64) {
        Self::enter(self, block);
    }
}

/// Sorts so many numbers by heapsort.
pub fn heap_sort(numbers: usize, probe: &mut impl Probe) {
    probe.enter(0);
    let mut heap: Vec<u32> = (0..numbers as u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect();
    for root in (0..numbers / 2).rev() {
        probe.enter(1);
        sift(&mut heap, root, probe);
    }
    for end in (1..numbers).rev() {
        probe.enter(2);
        heap.swap(0, end);
        sift(&mut heap[..end], 0, probe);
    }
    assert!(black_box(&heap).is_sorted());
}

fn sift(heap: &mut [u32], mut root: usize, probe: &mut impl Probe) {
    loop {
        probe.enter(3);
        let mut child = 2 * root + 1;
        if child >= heap.len() {
            probe.enter(4);
            return;
        }
        if child + 1 < heap.len() && heap[child] < heap[child + 1] {
            probe.enter(5);
            child += 1;
        }
        probe.enter(6);
        if heap[root] >= heap[child] {
            probe.enter(7);
            return;
        }
        probe.enter(8);
        heap.swap(root, child);
        root = child;
    }
}

/// Transforms 2^bits complex numbers there and back.
pub fn fft(bits: u32, probe: &mut impl Probe) {
    let n = 1_usize << bits;
    let signal: Vec<(f64, f64)> = (0..n).map(|i| ((i % 7) as f64, 0.0)).collect();
    let mut values = signal.clone();
    for sign in [-1.0, 1.0] {
        probe.enter(0);
        transform(&mut values, sign, probe);
    }
    let error = |(a, b): (&(f64, f64), &(f64, f64))| (a.0 / n as f64 - b.0).abs();
    let worst = values.iter().zip(&signal).map(error).fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst}");
}

fn transform(values: &mut [(f64, f64)], sign: f64, probe: &mut impl Probe) {
    let bits = values.len().ilog2();
    for i in 0..values.len() {
        probe.enter(1);
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            probe.enter(2);
            values.swap(i, j);
        }
    }
    for half in (0..bits).map(|bit| 1_usize << bit) {
        probe.enter(3);
        for k in 0..half {
            probe.enter(4);
            let (sin, cos) = (sign * std::f64::consts::PI * k as f64 / half as f64).sin_cos();
            for i in (k..values.len()).step_by(2 * half) {
                probe.enter(5);
                let ((a, b), (c, d)) = (values[i], values[i + half]);
                let (re, im) = (c * cos - d * sin, c * sin + d * cos);
                values[i] = (a + re, b + im);
                values[i + half] = (a - re, b - im);
            }
        }
    }
}

/// Finds the words, numbers and other signs of a text of so many lines.
pub fn lex(lines: usize, probe: &mut impl Probe) {
    probe.enter(0);
    let line = "if (count1 <= 4096) { total = total + 17 * rate; }\n";
    let text = black_box(line.repeat(lines));
    let (mut tokens, mut before) = (0_usize, b' ');
    for byte in text.bytes() {
        probe.enter(1);
        if byte.is_ascii_alphanumeric() {
            probe.enter(2);
            if !before.is_ascii_alphanumeric() {
                probe.enter(3);
                tokens += 1;
            }
        } else if !byte.is_ascii_whitespace() {
            probe.enter(4);
            tokens += 1;
        }
        before = byte;
    }
    assert_eq!(tokens, 17 * lines);
}

/// A loop of one block.
fn repeat(times: u64, probe: &mut impl Probe, mut operation: impl FnMut(u64)) {
    for i in 0..times {
        probe.enter(1);
        operation(i);
    }
}

/// One operation a block, as the first section of the JavaGrande suite has them: its name, and a loop of it.
pub struct Operation<P> {
    pub name: &'static str,
    pub times: u64,
    pub run: fn(u64, &mut P),
}

/// Operations of table 4.4 that this machine knows, and the division of section 4.1.
pub fn operations<P: Probe>() -> [Operation<P>; 6] {
    [
        Operation {
            name: "Loop:For",
            times: 4_000_000,
            run: |times, probe| {
                repeat(times, probe, |i| {
                    black_box(i);
                })
            },
        },
        Operation {
            name: "Add:Int",
            times: 4_000_000,
            run: |times, probe| {
                let mut sum = 0_u32;
                repeat(times, probe, |i| {
                    sum = black_box(sum.wrapping_add(i as u32))
                });
            },
        },
        Operation {
            name: "Mult:Double",
            times: 4_000_000,
            run: |times, probe| {
                let mut product = 1.0_f64;
                repeat(times, probe, |_| product = black_box(product * 1.000_000_1));
            },
        },
        Operation {
            name: "Div:Long",
            times: 1_000_000,
            run: |times, probe| {
                repeat(times, probe, |i| {
                    black_box(black_box(u64::MAX - i) / black_box(i + 3));
                })
            },
        },
        Operation {
            name: "Create:Array:Long:1",
            times: 1_000_000,
            run: |times, probe| {
                repeat(times, probe, |_| drop(black_box(vec![0_u64; black_box(1)])))
            },
        },
        Operation {
            name: "Create:Array:Long:128",
            times: 400_000,
            run: |times, probe| {
                repeat(times, probe, |_| {
                    drop(black_box(vec![1_u64; black_box(128)]))
                })
            },
        },
    ]
}

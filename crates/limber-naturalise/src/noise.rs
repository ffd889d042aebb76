//! White noise from a seed: the same numbers everywhere, to the bit.

/// How many evenly distributed numbers a normal one is the sum of (Irwin and Hall): no logarithm, no
/// cosine, so no difference between systems.
const SUMMED: u32 = 12;

/// The number at a place, about normally distributed: mean 0, variance 1.
pub(crate) fn at(seed: u64, row: usize, column: usize) -> f32 {
    // tables are far less than 2³² columns wide
    let place = ((row as u64) << 32) | column as u64;
    let mut state = mixed(seed ^ mixed(place));
    let mut sum = 0;
    for _ in 0..SUMMED / 4 {
        state = state.wrapping_add(GOLDEN);
        let bits = mixed(state);
        sum += (0..4).map(|part| (bits >> (16 * part)) as u16).map(u32::from).sum::<u32>();
    }
    let mean = f64::from(SUMMED) * f64::from(u16::MAX) / 2.0;
    ((f64::from(sum) - mean) / 65_536.0) as f32
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The last steps of `SplitMix64` (Steele et al. 2014).
const fn mixed(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_white_and_normal() {
        let numbers: Vec<f64> = (0..400)
            .flat_map(|row| (0..45).map(move |column| f64::from(at(7, row, column))))
            .collect();
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let moment = |power| numbers.iter().map(|number| number.powi(power)).sum::<f64>() / count;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((moment(2) - 1.0).abs() < 0.04, "{}", moment(2));
        assert!((moment(4) - 2.9).abs() < 0.2, "{}", moment(4));
        for apart in [1, 45] {
            let along: f64 = numbers.iter().zip(&numbers[apart..]).map(|(a, b)| a * b).sum();
            assert!((along / count).abs() < 0.03, "{apart}: {}", along / count);
        }
    }

    #[test]
    fn seeds_differ_and_one_seed_does_not() {
        let some = |seed| (0..20).map(|row| at(seed, row, 3).to_bits()).collect::<Vec<_>>();
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        // whoever changes these changes every clip that was ever made with them
        let known = [at(1, 0, 0), at(1, 5, 2), at(u64::MAX, 9, 44)].map(f32::to_bits);
        assert_eq!(known, [0x3F99_2D80, 0xBF52_1700, 0xBF75_C400]);
    }
}

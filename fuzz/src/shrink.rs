//! What is the smallest input that still shows it?
//!
//! Works on the bytes a generator decodes: it cuts out stretches and sets bytes to zero, ever smaller ones, as long as
//! the failure stays. A decoder that ends quickly on few or zero bytes turns that into a small example.

/// The smallest bytes found for which `fails` holds, within `tries` calls of it. `fails(bytes)` must hold.
pub fn smallest(bytes: &[u8], tries: usize, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut best = bytes.to_vec();
    let mut left = tries;
    let mut stretch = best.len().next_power_of_two();
    while stretch > 0 {
        let mut at = 0;
        while at < best.len() {
            let end = (at + stretch).min(best.len());
            let cut = [&best[..at], &best[end..]].concat();
            let mut zeroed = best.clone();
            zeroed[at..end].fill(0);
            let mut taken = false;
            for candidate in [cut, zeroed] {
                if candidate == best {
                    continue;
                }
                if left == 0 {
                    return best;
                }
                left -= 1;
                if fails(&candidate) {
                    taken = candidate.len() < best.len();
                    best = candidate;
                    break;
                }
            }
            if !taken {
                at += stretch;
            }
        }
        stretch /= 2;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn it_keeps_what_is_needed_and_no_more() {
        let bytes: Vec<u8> = (1..=200).collect();
        let found = smallest(&bytes, 10_000, |bytes| {
            bytes.contains(&77) && bytes.contains(&150)
        });
        assert_eq!(found, [77, 150]);
    }

    #[test]
    fn it_sets_to_zero_what_it_cannot_cut() {
        let found = smallest(&[9; 64], 10_000, |bytes| bytes.len() == 64);
        assert_eq!(found, [0; 64]);
    }

    #[test]
    fn it_stops_after_its_tries() {
        let mut calls = 0;
        smallest(&[1; 100], 17, |_| {
            calls += 1;
            false
        });
        assert_eq!(calls, 17);
    }
}

use super::*;

#[test]
fn parts_have_each_row_once() {
    for inputs in [
        vec![vec![]],
        vec![vec![1]],
        vec![vec![10, 10, 10], vec![], vec![3, 0, 4]],
        vec![vec![1000], vec![1], vec![2, 7, 25, 26]],
    ] {
        for part_rows in [1, 2, 7, 25, 10_000] {
            let parts = cut(&inputs, part_rows);
            let mut rows = Vec::new();
            for part in &parts {
                let count: u64 = part.iter().map(|piece| piece.rows).sum();
                assert!(count <= part_rows);
                for piece in part {
                    rows.extend((piece.first..piece.first + piece.rows).map(|row| (piece.input, row)));
                }
            }
            let wanted = inputs.iter().enumerate();
            let wanted = wanted.flat_map(|(input, groups)| (0..groups.iter().sum()).map(move |row| (input, row)));
            assert_eq!(rows, wanted.collect::<Vec<_>>());
        }
    }
    assert_eq!(cut(&[vec![25]], 10).len(), 3);
    assert_eq!(cut(&[vec![5], vec![5]], 10).len(), 1);
}

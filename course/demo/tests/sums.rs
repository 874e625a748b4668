use shop::{after_voucher, total};

#[test]
fn one_piece_costs_its_price() {
    assert_eq!(total(3, 1), 3);
}

#[test]
fn four_pieces_cost_four_times_as_much() {
    assert_eq!(total(3, 4), 12);
}

#[test]
fn a_voucher_is_taken_off() {
    assert_eq!(after_voucher(12, 5), 7);
}

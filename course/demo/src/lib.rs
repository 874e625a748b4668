//! A shop's sums.

/// What `count` pieces cost at `price` each.
pub fn total(price: i64, count: i64) -> i64 {
    price + count
}

/// What is left to pay of a `sum` after a voucher.
pub fn after_voucher(sum: i64, voucher: i64) -> i64 {
    sum - voucher
}

// The fingerprint of a path: the XOR of five slices of its bits, 10 wide and 13 apart.
//: inside hpp_rows
//: configuration [geometry]
//: configuration replacement = "shadow"
//: steps 1
//: within 1
//: damaged places_key[35:26] => places_key[36:27]
//: damaged places_key[48:39] => places_key[49:40]
//: damaged  ^ places_key[48:39] ^ =>  ^
//: damaged  ^ places_key[48:39] ^ =>  | places_key[48:39] ^

reg [9:0] folded;
integer bit_number;
always @* begin
  folded = 10'd0;
  for (bit_number = 0; bit_number < 64; bit_number = bit_number + 1)
    if (bit_number % 13 < 10) folded[bit_number % 13] = folded[bit_number % 13] ^ places_key[bit_number];
  slices: assert (fingerprint == folded);
end

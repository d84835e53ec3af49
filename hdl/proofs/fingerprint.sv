// The fingerprint of a path: the XOR of five slices of its bits, 10 wide and 13 apart.
//: inside hpp_rows
//: configuration [geometry]
//: configuration replacement = "shadow"
//: steps 1
//: within 1
//: damaged key[35:26] => key[36:27]
//: damaged key[48:39] => key[49:40]
//: damaged  ^ key[48:39] ^ =>  ^
//: damaged  ^ key[48:39] ^ =>  | key[48:39] ^

reg [9:0] slices_of_key;
integer bit_number;
always @* begin
  slices_of_key = 10'd0;
  for (bit_number = 0; bit_number < 64; bit_number = bit_number + 1)
    if (bit_number % 13 < 10) slices_of_key[bit_number % 13] = slices_of_key[bit_number % 13] ^ key[bit_number];
  slices: assert (fingerprint == slices_of_key);
end

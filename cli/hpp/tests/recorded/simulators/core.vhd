library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;
entity core is end;
architecture sim of core is
  signal clk : std_logic := '0';
  signal rst_n : std_logic := '0';
  signal rvfi_valid, rvfi_trap, rvfi_intr : std_logic;
  signal rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata : std_logic_vector(31 downto 0);
  signal step : integer := 0;
begin
  clk <= not clk after 5 ns when step < 40;
  rst_n <= '1' after 22 ns;
  process (clk) begin
    if rising_edge(clk) then
      step <= step + 1;
      rvfi_valid <= '0';
      if rst_n = '1' then
        rvfi_valid <= 'H'; rvfi_trap <= '0'; rvfi_intr <= '0';
        if step mod 2 = 0 then
          rvfi_insn <= x"fff50513"; rvfi_pc_rdata <= x"00000100"; rvfi_pc_wdata <= x"00000104";
        else
          rvfi_insn <= x"fe051ee3"; rvfi_pc_rdata <= x"00000104"; rvfi_pc_wdata <= x"00000100";
        end if;
      end if;
    end if;
  end process;
end;

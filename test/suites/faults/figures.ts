/** Prints a line of figures beside the test. */
export function figures(line: string): void {
  process.stdout.write(`      ${line}\n`);
}

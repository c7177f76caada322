/** Commands that fetch and run code, delete, or open a connection back. Gaps are bounded, so that matching is linear. */
const command =
  /\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n]{0,300}?\|\s{0,4}(?:sudo\s)?(?:ba|z|da|k)?sh\b|\bchmod\s{1,4}(?:\+x|[0-7]{3,4})\b|\brm\s{1,4}-[a-z]{0,6}[rf]|\/dev\/tcp\/|\bnc(?:at)?\s{1,4}-[a-z]{0,6}e|\bpowershell\b|\binvoke-expression\b|\biex\s{0,2}\(|\b(?:ba|z)?sh\s{1,4}-[ic]\b|\bos\.system\s{0,2}\(|\bsubprocess\.|\bchild_process\b|\beval\s{0,2}\(|\bexec\s{0,2}\(|\bbase64\s{1,4}(?:-d|--decode)\b|\bmkfs\b|\bdd\s{1,4}if=|\b(?:curl|wget)\s[^\n]{0,100}https?:\/\//i;

/** Returns the beginning of a shell command or call that runs code; undefined without one. */
export function findCommand(text: string): number | undefined {
  return command.exec(text)?.index;
}

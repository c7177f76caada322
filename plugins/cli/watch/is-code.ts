const code = /\.([cm]?[jt]s|py|json)$/;

/** Whether modules of tools may be other ones when this file is. */
export function isCode(file: string): boolean {
  return code.test(file);
}

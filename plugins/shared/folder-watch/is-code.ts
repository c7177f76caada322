const code = /\.([cm]?[jt]s|py|json)$/;

/** True for a file whose change may change modules of tools. */
export function isCodeFile(file: string): boolean {
  return code.test(file);
}

/** The caller whose grant is used. */
export interface AccountOwner {
  readonly tenant: string;
  readonly caller: string;
}

/** The owner of the operator's grants. */
export const operator: AccountOwner = { tenant: 'default', caller: 'default' };

/** Returns the name of a server's provider. No definition can have it: their names have no slash. */
export function providerOf(server: string): string {
  return `upstream/${server}`;
}

/** A caller at a provider. */
export interface AccountHolder {
  readonly tenant: string;
  readonly caller: string;
  readonly provider: string;
}

/** One account of a holder. */
export interface AccountName extends AccountHolder {
  /** The owner's name for the account. @default the one that calls use; for a login `default` */
  readonly account?: string;
}

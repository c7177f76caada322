/** A person or program that decides. Names are compared without the way: `ann` at a terminal and `ann` by webhook are one decider. */
export interface Decider {
  /** The way of the decision, such as `command line`, `library`, `elicitation`, `webhook`, `onApproval`, `token`. */
  readonly way: string;
  /** The name there: the account of the operating system, the caller, the key of the webhook. */
  readonly name: string;
}

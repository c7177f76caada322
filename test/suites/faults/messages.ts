/** An order to a worker: an ordinary call, answered with `Report.answer`. */
export interface Order {
  readonly id: number;
  readonly tool: string;
  readonly name: string;
}

/**
 * A report of a worker. `prepared`: a call begins, before its intent is written. `began`: it is about to be sent, after that. `code`: of the error;
 * undefined for a result.
 */
export type Report =
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'prepared' | 'began'; readonly name: string }
  | { readonly type: 'ended'; readonly name: string; readonly code?: string | undefined }
  | { readonly type: 'answer'; readonly id: number; readonly code?: string | undefined }
  | { readonly type: 'logged'; readonly level: string; readonly message: string };

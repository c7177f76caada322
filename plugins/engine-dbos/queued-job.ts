import type { Cipher } from '../shared/keys/cipher.ts';

/** A queued run of a call: the input of a DBOS workflow. */
export interface QueuedJob {
  readonly place: string;
  /** `runAt` of the call's record when the job was queued. The job is over when the record has another one. */
  readonly runAt: number;
  /** Number of open calls of the caller when it was submitted. Callers with fewer open calls go first. */
  readonly ahead: number;
  /** Number of checks that postponed the job. */
  readonly looks: number;
}

/** Returns the workflow id of a job: the same however often it is queued. */
export function workflowIdOf({ place, runAt, looks }: Omit<QueuedJob, 'ahead'>): string {
  return `${place}.${runAt}.${looks}`;
}

/** Encrypts the input of a workflow, valid for that workflow only. */
export function encryptJob(job: QueuedJob, cipher: Cipher): string {
  return cipher.encrypt(JSON.stringify(job), workflowIdOf(job)).toString('base64');
}

/** Decrypts the input of a workflow. Undefined when it was made with another key, or for another workflow. */
export function decryptJob(input: unknown, workflow: string, cipher: Cipher): QueuedJob | undefined {
  const text = typeof input === 'string' ? cipher.decrypt(Buffer.from(input, 'base64'), workflow) : undefined;
  // Own text: enciphered by this program.
  return text === undefined ? undefined : (JSON.parse(text) as QueuedJob);
}

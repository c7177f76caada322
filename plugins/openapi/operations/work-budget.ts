import { UnusableOperation } from './unusable-operation.ts';

/** Maximum parts (parameters, media types, responses, examples …) of all operations. The largest public document has 700,000. */
const maxParts = 5_000_000;

/** Counts the parts that are read. References make many of few: a hundred thousand paths may be one path item with as many parameters. */
export class WorkBudget {
  #left = maxParts;

  /** Throws `UnusableOperation` when the document has too many parts. */
  spend(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0)
      throw new UnusableOperation('invalid', `the operations have more than ${maxParts} parts together. Split the document`);
  }
}

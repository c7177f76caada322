import type { JsonSchema } from '../../../../kernel/index.ts';
import { Part } from './part.ts';
import { objectOf } from './shape.ts';

/** A schema without references, as a list of tools shows it. */
export interface WrittenSchema {
  readonly schema: JsonSchema;
  /** True when it leaves out something: `toolkit_get_tool` has the whole. */
  readonly isCut: boolean;
}

/** Maximum UTF-16 units of a description: of a parameter that a call needs, another one, and a part below. */
const textLimits = { required: 300, optional: 160, below: 100 } as const;

/** Maximum additions to one schema. */
const maxSteps = 1500;

/** An addition to a part. The one with the lowest order is tried first. */
interface Step {
  readonly order: number;
  readonly part: Part;
  readonly kind: 'open' | 'text' | 'values' | 'limits';
}

/**
 * Writes out an object schema within `limit` UTF-16 units of JSON: references are replaced by what they lead to, and each part has one type, as all model APIs
 * take it. Required parts come first, then optional ones by breadth. What does not fit becomes an open object, and cycles end in one. The result takes every value
 * that the schema takes, except lists nested deeper than those of `portableSchema`; calls are checked against the schema itself.
 */
export function writeOut(schema: JsonSchema, limit: number): WrittenSchema {
  let room = limit;
  for (let attempt = 0; ; attempt++) {
    const written = new Writing(schema, room).write();
    // Texts of a union and of its first branch share a keyword, so that sizes of single parts are not exact.
    const excess = JSON.stringify(written.schema).length - limit;
    if (excess <= 0 || attempt === 3) return written;
    room -= excess + 20;
  }
}

class Writing {
  readonly #root: Part;
  readonly #steps: Step[] = [];
  #remaining: number;

  constructor(schema: JsonSchema, limit: number) {
    this.#root = new Part({ shape: objectOf(schema, schema), entered: [] }, { root: schema, depth: 0, isRequired: true, trail: new Set() });
    this.#remaining = limit;
  }

  write(): WrittenSchema {
    this.#openRoot();
    this.#addSteps(this.#root);
    for (let count = 0; count < maxSteps; count++) {
      const step = this.#next();
      if (step === undefined) break;
      this.#take(step);
    }
    return { schema: this.#root.schema(), isCut: this.#root.isCut };
  }

  /** Opens the root with all its members as types, or with those that fit. */
  #openRoot(): void {
    this.#root.open();
    const size = sizeOf(this.#root);
    if (size <= this.#remaining) {
      this.#remaining -= size;
      return;
    }
    this.#root.close();
    // Room for the brackets, the names of required members, and the words on the others.
    let room = this.#remaining - 120;
    this.#root.open((part, name) => {
      const needed = JSON.stringify(name).length * (part.isRequired ? 2 : 1) + sizeOf(part) + 3;
      if (needed > room) return false;
      room -= needed;
      return true;
    });
    this.#remaining -= sizeOf(this.#root);
  }

  #addSteps(parent: Part): void {
    for (const part of parent.inner) {
      const { depth, isRequired } = part;
      const rank = isRequired ? 0 : 1000;
      const add = (kind: Step['kind'], order: number): void => void this.#steps.push({ kind, part, order });
      if (part.canOpen) add('open', (isRequired ? 100 : 1100) + depth * 20);
      add('text', (isRequired ? 200 : 1000) + depth * 20);
      if (part.canShowValues) add('values', rank + (isRequired ? 150 : -10) + depth * 20);
      add('limits', (isRequired ? 1500 : 2000) + depth * 20);
    }
  }

  #next(): Step | undefined {
    let best = 0;
    for (let index = 1; index < this.#steps.length; index++)
      if ((this.#steps[index] as Step).order < (this.#steps[best] as Step).order) best = index;
    return this.#steps.splice(best, 1)[0];
  }

  #take({ part, kind }: Step): void {
    switch (kind) {
      case 'open':
        this.#open(part);
        break;
      case 'text':
        this.#describe(part);
        break;
      case 'values':
        for (const how of part.hasFewValues ? (['all', 'some'] as const) : (['some'] as const)) {
          if (
            this.#try(
              part,
              () => part.showValues(how),
              () => part.showValues('none'),
            )
          )
            break;
        }
        break;
      case 'limits':
        this.#try(
          part,
          () => part.showLimits(true),
          () => part.showLimits(false),
        );
    }
  }

  #open(part: Part): void {
    if (
      this.#try(
        part,
        () => part.open(),
        () => part.close(),
      )
    )
      this.#addSteps(part);
    else if (part.shape.kind === 'object') {
      const before = sizeOf(part);
      let room = this.#remaining - 120;
      let count = 0;
      part.open((member, name) => {
        const needed = JSON.stringify(name).length * 2 + sizeOf(member) + 3;
        if (needed > room) return false;
        room -= needed;
        count++;
        return true;
      });
      const grown = sizeOf(part) - before;
      if (count === 0 || grown > this.#remaining) part.close();
      else {
        this.#remaining -= grown;
        this.#addSteps(part);
      }
    }
  }

  #describe(part: Part): void {
    const limit = part.depth > 1 ? textLimits.below : part.isRequired ? textLimits.required : textLimits.optional;
    for (const length of [limit, 60])
      if (
        this.#try(
          part,
          () => part.describe(length),
          () => part.undescribe(),
        )
      )
        return;
  }

  /** Makes an addition that fits; takes it back otherwise. */
  #try(part: Part, add: () => void, undo: () => void): boolean {
    const before = sizeOf(part);
    add();
    const grown = sizeOf(part) - before;
    if (grown <= this.#remaining) {
      this.#remaining -= grown;
      return true;
    }
    undo();
    return false;
  }
}

function sizeOf(part: Part): number {
  return JSON.stringify(part.schema()).length;
}

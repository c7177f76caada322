import { Browser, type Visit } from '../connect/browser.ts';

/** A browser that writes down all that it is shown. */
export class SeenBrowser extends Browser {
  readonly #answers: string[];

  constructor(origin: { readonly url: string }, answers: string[]) {
    super(origin);
    this.#answers = answers;
  }

  override async open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    return this.#note(await super.open(address, headers));
  }

  override async submit(address: string, fields: Readonly<Record<string, string>>): Promise<Visit> {
    return this.#note(await super.submit(address, fields));
  }

  #note(visit: Visit): Visit {
    this.#answers.push(`${visit.status} ${visit.text} ${JSON.stringify([...visit.headers])}`);
    return visit;
  }
}

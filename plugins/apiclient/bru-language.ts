export interface BruPair {
  readonly name: string;
  /** A text, unless an annotation such as `@number` says that it is something else. */
  readonly value: unknown;
  readonly enabled?: boolean;
  readonly secret?: boolean;
}

export interface BruRequest {
  readonly meta?: { readonly name?: string; readonly type?: string; readonly seq?: string; readonly tags?: readonly string[] };
  readonly http?: { readonly method?: string; readonly url?: string; readonly body?: string; readonly auth?: string };
  readonly headers?: readonly BruPair[];
  readonly body?: Readonly<Record<string, unknown>>;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly assertions?: readonly BruPair[];
  readonly tests?: string;
  readonly docs?: string;
}

export interface BruCollection {
  readonly meta?: { readonly name?: string; readonly seq?: string };
  readonly auth?: Readonly<Record<string, unknown>> & { readonly mode?: string };
  readonly vars?: { readonly req?: readonly BruPair[] };
}

/** The parts of the library that are used. Reading throws an Error that names line and column. */
export interface BruLanguage {
  bruToJsonV2(text: string): BruRequest;
  /** Changes what it is given. */
  jsonToBruV2(request: unknown): string;
  bruToEnvJsonV2(text: string): { readonly variables: readonly BruPair[] };
  collectionBruToJson(text: string): BruCollection;
}

/** Reads and writes `.bru` files. Loaded when it is first needed. */
export async function bruLanguage(): Promise<BruLanguage> {
  // @ts-expect-error the library has no types
  return (await import('@usebruno/lang')) as BruLanguage;
}

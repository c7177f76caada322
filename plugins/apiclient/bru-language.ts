export interface BruPair {
  readonly name: string;
  /** A text, unless an annotation such as `@number` gives it another type. */
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

/** The used parts of the library. Reading throws an Error that names line and column. */
export interface BruLanguage {
  bruToJsonV2(text: string): BruRequest;
  /** Modifies its argument. */
  jsonToBruV2(request: unknown): string;
  bruToEnvJsonV2(text: string): { readonly variables: readonly BruPair[] };
  collectionBruToJson(text: string): BruCollection;
}

/** Loads the library that reads and writes `.bru` files. */
export async function bruLanguage(): Promise<BruLanguage> {
  // @ts-expect-error the library has no types
  return (await import('@usebruno/lang')) as BruLanguage;
}

/** What decides where clients keep their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder. */
  readonly home: string;
}

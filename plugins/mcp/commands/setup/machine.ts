/** Facts that decide where clients store their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder. */
  readonly home: string;
}

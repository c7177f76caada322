import type { Moment } from './moment.ts';

export type ReadAs = 'iso_8601' | 'sql' | 'rfc_2822' | 'http' | 'unix_seconds' | 'unix_milliseconds' | 'format';

export interface ParsedTime extends Moment {
  readonly readAs: ReadAs;
}

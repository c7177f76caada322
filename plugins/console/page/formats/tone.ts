/** The tone of a badge or a note, which has a colour. */
export type Tone = 'neutral' | 'ok' | 'warn' | 'danger' | 'accent';

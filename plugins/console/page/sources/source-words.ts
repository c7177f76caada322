import type { SourceStatus } from '../../../../kernel/index.ts';
import type { Tone } from '../formats/tone.ts';

/** Word, meaning and tone of each state of a source. */
export const sourceStates: Readonly<Record<SourceStatus['state'], { readonly word: string; readonly text: string; readonly tone: Tone }>> =
  {
    starting: { word: 'starting', text: 'It was not listed yet.', tone: 'neutral' },
    ready: { word: 'ready', text: 'All of its items can be used.', tone: 'ok' },
    degraded: {
      word: 'degraded',
      text: 'The last listing failed, or some items cannot be used. The listing before it stays.',
      tone: 'warn',
    },
    down: { word: 'down', text: 'It was never listed, and listing it fails.', tone: 'danger' },
    'needs-auth': {
      word: 'needs credentials',
      text: 'It refuses the credentials. Give it others, or connect the account again.',
      tone: 'danger',
    },
    quarantined: {
      word: 'waits for you',
      text: 'What has changed is withheld until a person accepts it.',
      tone: 'warn',
    },
  };

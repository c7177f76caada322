/** The commands that keys have. */
export type Command =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'open'
  | 'approve'
  | 'refuse'
  | 'select'
  | 'select-all'
  | 'filter'
  | 'leave'
  | 'help';

const commands: Readonly<Record<string, Command>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  a: 'approve',
  r: 'refuse',
  x: 'select',
  X: 'select-all',
  '/': 'filter',
  Escape: 'leave',
  '?': 'help',
};

/** The keys as the help lists them. */
export const keyHelp: readonly { readonly keys: readonly string[]; readonly text: string }[] = [
  { keys: ['j', '↓'], text: 'Next call' },
  { keys: ['k', '↑'], text: 'Previous call' },
  { keys: ['Enter'], text: 'Open the call; in a question: confirm' },
  { keys: ['a'], text: 'Begin a yes' },
  { keys: ['r'], text: 'Begin a no' },
  { keys: ['x'], text: 'Select the call' },
  { keys: ['Shift', 'x'], text: 'Select all shown' },
  { keys: ['/'], text: 'Filter' },
  { keys: ['Esc'], text: 'Leave a question, the filter or the selection' },
  { keys: ['?'], text: 'This help' },
];

/** The part of a keyboard event that decides. */
export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
}

/** The element that has the focus, as far as it takes keys itself. */
export interface KeyTarget {
  readonly tagName: string;
  readonly type?: string;
  readonly isContentEditable?: boolean;
}

const textless = ['checkbox', 'radio', 'button', 'submit', 'reset'];

/**
 * Returns the command of a key, or undefined. Keys that the focused element takes itself have none: letters in a field, Enter on a button or link,
 * arrows in a choice. A held-down key moves only.
 */
export function commandOf({ key, ctrlKey, altKey, metaKey, repeat }: Key, target?: KeyTarget): Command | undefined {
  if (ctrlKey || altKey || metaKey || !Object.hasOwn(commands, key)) return undefined;
  const command = commands[key];
  const isMove = command === 'next' || command === 'previous';
  if (repeat && !isMove) return undefined;
  const tag = target?.tagName.toUpperCase() ?? '';
  const takesText = tag === 'TEXTAREA' || tag === 'SELECT' || (tag === 'INPUT' && !textless.includes(target?.type ?? 'text'));
  if (takesText || target?.isContentEditable === true) return command === 'leave' ? command : undefined;
  if (key === 'Enter' && ['A', 'BUTTON', 'SUMMARY', 'INPUT'].includes(tag)) return undefined;
  return command;
}

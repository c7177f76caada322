/** Names of files that a careless program gets wrong. */
export const oddNames = [
  'two words',
  ' leading and trailing ',
  '"double" \'single\'',
  'new\nline',
  'tab\tstop',
  'ä€😀',
  'back\\slash',
  '-dash',
  '--all',
  ':(top)x',
  '*',
  'a?b[c]',
  '{path}',
  '1\t2\tx',
] as const;

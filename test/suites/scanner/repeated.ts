/** Texts that are repeated to a megabyte: beginnings of what the scanner looks for, which never end. */
export const repeated: readonly string[] = [
  ...['<', '<a ', '<!--', '-->', '<b></b>', 'x<b></b>', '<important', '{{', '{{system', '{', '![a](http://x?{', '[', '![', 'http://a'],
  ...['%41', '&#1;', '\\u0041', '\\', 'QUJD', '41 ', '0x41,', '01000001', '12,', '=', 'A', 'aA', 'e', '\u4e0d', 'а', 'a_', 'A_', '_KEY'],
  ...['\u200b', '\u202e', '\ue000', '\u0301', '\ufe0f', '\ud800', '\u{e0041}', '🏴', '\u001b[', '\u001b[0', '\u009b1', '\r', ' ', ' \n'],
  ...[
    "'",
    '"',
    '`',
    '“',
    '. A',
    '. ignore ',
    'ignore previous ',
    'ignore all previous instructions ',
    'the user must never ',
    'do not tell ',
  ],
  ...['curl ', 'curl |', 'fetch | ', 'rm -', 'sh -', 'i g n o r e ', 'ignoreall', '/home/a', 'C:\\users\\', 'a@', 'a.', 'a:', '1.1.', '**'],
  ...['SYSTEM:', 'user: a\n', '### SYSTEM', '[ASSISTANT ', '--- end of ', 'from now on you are '],
];

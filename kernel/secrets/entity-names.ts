const punctuation =
  'excl:! quot:" num:# dollar:$ percnt:% amp:& apos:\' lpar:( rpar:) ast:* midast:* plus:+ comma:, period:. sol:/ colon:: semi:; lt:< equals:= gt:> quest:? commat:@ ' +
  'lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] Hat:^ lowbar:_ UnderBar:_ grave:` lcub:{ lbrace:{ verbar:| vert:| rcub:} rbrace:} QUOT:" AMP:& LT:< GT:>';

/** Names of the entities for U+00A0 to U+00FF, in order (HTML 4.01, 24.2.1). */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 ' +
  'frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times ' +
  'Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const codes: ReadonlyMap<string, number> = new Map([
  ...punctuation.split(' ').map((entry) => [entry.slice(0, -2), entry.charCodeAt(entry.length - 1)] as const),
  ...latin.split(' ').map((name, index) => [name, 0xa0 + index] as const),
  ['Tab', 9],
  ['NewLine', 10],
]);

/** Returns the code of an HTML entity by its name. Knows only ASCII and Latin-1, because secrets consist of them. */
export function entityCode(name: string): number | undefined {
  return codes.get(name);
}

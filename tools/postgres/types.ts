import type { CallConnection } from './connection.ts';
import type { Field } from './wire.ts';

/** Ways to convert the text of a value to JSON. */
export type ValueKind = 'text' | 'boolean' | 'number' | 'json';

/** The conversion of a type. With `isArray` it applies to the elements. */
export interface Type {
  readonly reading: ValueKind;
  readonly isArray: boolean;
}

/** Oids of built-in types whose JSON form is not text, each with the oid of its array type. They never change (pg_type.dat). */
const readings: Readonly<Record<Exclude<ValueKind, 'text'>, readonly (readonly [number, number])[]>> = {
  boolean: [[16, 1000]],
  // int2, int4, oid, float4, float8. Not int8 and numeric, which a number of JSON cannot hold.
  number: [
    [21, 1005],
    [23, 1007],
    [26, 1028],
    [700, 1021],
    [701, 1022],
  ],
  json: [
    [114, 199],
    [3802, 3807],
  ],
};

/**
 * The same for common types that stay text: bytea, name, int8, text, money, macaddr, inet, cidr, bpchar, varchar, date, time, timestamp,
 * timestamptz, interval, timetz, bit, varbit, numeric, uuid. Without them every call would look them up.
 */
const texts: readonly (readonly [number, number])[] = [
  [17, 1001],
  [19, 1003],
  [20, 1016],
  [25, 1009],
  [790, 791],
  [829, 1040],
  [869, 1041],
  [650, 651],
  [1042, 1014],
  [1043, 1015],
  [1082, 1182],
  [1083, 1183],
  [1114, 1115],
  [1184, 1185],
  [1186, 1187],
  [1266, 1270],
  [1560, 1561],
  [1562, 1563],
  [1700, 1231],
  [2950, 2951],
];

const known: ReadonlyMap<number, Type> = new Map([
  ...Object.entries(readings).flatMap(([reading, types]) => types.flatMap((type) => pairOf(type, reading as ValueKind))),
  ...texts.flatMap((type) => pairOf(type, 'text')),
]);

const plain: Type = { reading: 'text', isArray: false };

/** Returns the types of columns. Queries the catalog for types that are not built in, such as an array of an enum. */
export async function typesOf(fields: readonly Field[], connection: CallConnection): Promise<readonly Type[]> {
  const strange = [...new Set(fields.map(({ dataTypeID: oid }) => oid))].filter((oid) => !known.has(oid));
  const arrays = strange.length === 0 ? new Map<number, Type>() : await arraysAmong(strange, connection);
  return fields.map(({ dataTypeID: oid }) => known.get(oid) ?? arrays.get(oid) ?? plain);
}

async function arraysAmong(oids: readonly number[], connection: CallConnection): Promise<ReadonlyMap<number, Type>> {
  // Elements of a domain are read as the type below it. Arrays with another separator stay text; box has a semicolon.
  const rows = await connection.command(
    `SELECT typarray, CASE typtype WHEN 'd' THEN typbasetype ELSE oid END AS element
    FROM pg_catalog.pg_type WHERE typarray IN (${oids.join(', ')}) AND typdelim = ','`,
  );
  return new Map(
    rows.map(({ typarray, element }) => [Number(typarray), { reading: known.get(Number(element))?.reading ?? 'text', isArray: true }]),
  );
}

function pairOf([oid, arrayOid]: readonly [number, number], reading: ValueKind): (readonly [number, Type])[] {
  return [
    [oid, { reading, isArray: false }],
    [arrayOid, { reading, isArray: true }],
  ];
}

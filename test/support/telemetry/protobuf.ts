/** One field of a message in protobuf's wire format: a varint or fixed number, or bytes. */
export type FieldValue = bigint | Uint8Array;

/** Reads a message in protobuf's wire format (https://protobuf.dev/programming-guides/encoding/), by numbers of fields. */
export class Message {
  readonly #fields = new Map<number, FieldValue[]>();

  constructor(bytes: Uint8Array) {
    const reader = new Reader(bytes);
    while (!reader.isOver) {
      const [number, value] = reader.field();
      const values = this.#fields.get(number);
      if (values === undefined) this.#fields.set(number, [value]);
      else values.push(value);
    }
  }

  has(field: number): boolean {
    return this.#fields.has(field);
  }

  messages(field: number): Message[] {
    return (this.#fields.get(field) ?? []).map((value) => new Message(bytesOf(value)));
  }

  text(field: number): string {
    return Buffer.from(this.#bytes(field)).toString('utf8');
  }

  hex(field: number): string {
    return Buffer.from(this.#bytes(field)).toString('hex');
  }

  number(field: number): bigint {
    const value = this.#fields.get(field)?.at(-1) ?? 0n;
    if (typeof value !== 'bigint') throw new TypeError(`field ${field} is no number`);
    return value;
  }

  double(field: number): number {
    const bits = new BigUint64Array([this.number(field)]);
    return new Float64Array(bits.buffer)[0] ?? 0;
  }

  #bytes(field: number): Uint8Array {
    return bytesOf(this.#fields.get(field)?.at(-1) ?? new Uint8Array());
  }
}

function bytesOf(value: FieldValue): Uint8Array {
  if (typeof value === 'bigint') throw new TypeError('a number stands in place of bytes');
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): [number: number, value: FieldValue] {
    const key = Number(this.#varint());
    return [key >>> 3, this.#value(key & 7)];
  }

  #value(wireType: number): FieldValue {
    if (wireType === 0) return this.#varint();
    if (wireType === 1) return this.#fixed(8);
    if (wireType === 5) return this.#fixed(4);
    if (wireType === 2) return this.#take(Number(this.#varint()));
    throw new TypeError(`wire type ${wireType} is not known`);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const [byte = 0] = this.#take(1);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #fixed(length: number): bigint {
    return [...this.#take(length)].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the message ends within a field');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

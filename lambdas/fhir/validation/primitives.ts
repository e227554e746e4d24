/** JSON types and lexical rules of FHIR's primitive types (R4, datatypes.html#primitive). */

/** Most characters of a string; R4 allows a million. Attachments and narratives are limited only by the length of a row. */
export const longestText = 65_536;

const year = '(?!0000)\\d{4}';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d{1,9})?';
const zone = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))';

interface Primitive {
  readonly json: 'string' | 'number' | 'boolean';
  readonly form?: RegExp;
  /** The expected value in words. */
  readonly expected: string;
  readonly min?: number;
  readonly max?: number;
  readonly isUnbounded?: boolean;
  readonly isDate?: boolean;
}

const largest = 2_147_483_647;
const text: Primitive = {
  json: 'string',
  form: /\S/,
  expected: 'a text of whole characters that is not blank',
};
const uri: Primitive = { json: 'string', form: /^\S+$/, expected: 'a URI without white space' };
const form = (pattern: string) => new RegExp(`^${pattern}$`);

const primitives: Readonly<Record<string, Primitive>> = {
  boolean: { json: 'boolean', expected: 'true or false' },
  integer: { json: 'number', min: -largest - 1, max: largest, expected: 'a whole number of 32 bits' },
  positiveInt: { json: 'number', min: 1, max: largest, expected: 'a whole number from 1' },
  unsignedInt: { json: 'number', min: 0, max: largest, expected: 'a whole number from 0' },
  decimal: { json: 'number', expected: 'a decimal number' },
  string: text,
  markdown: text,
  code: { json: 'string', form: /^\S+(?: \S+)*$/, expected: 'a code without white space at its ends' },
  id: {
    json: 'string',
    form: /^[A-Za-z0-9\-.]{1,64}$/,
    expected: '1 to 64 letters, digits, hyphens or dots',
  },
  uri,
  url: uri,
  canonical: uri,
  oid: { json: 'string', form: /^urn:oid:[0-2](?:\.(?:0|[1-9]\d*))+$/, expected: 'urn:oid: and an OID' },
  uuid: {
    json: 'string',
    form: /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    expected: 'urn:uuid: and a UUID in lower case',
  },
  base64Binary: {
    json: 'string',
    form: /^[0-9a-zA-Z+/\s]+(?:=\s*){0,2}$/,
    isUnbounded: true,
    expected: 'base64',
  },
  date: {
    json: 'string',
    form: form(`${year}(?:-${month}(?:-${day})?)?`),
    isDate: true,
    expected: 'a date of the calendar: YYYY, YYYY-MM or YYYY-MM-DD',
  },
  dateTime: {
    json: 'string',
    form: form(`${year}(?:-${month}(?:-${day}(?:T${time}${zone})?)?)?`),
    isDate: true,
    expected:
      'a date of the calendar (YYYY, YYYY-MM or YYYY-MM-DD), or a time with seconds and an offset or Z',
  },
  instant: {
    json: 'string',
    form: form(`${year}-${month}-${day}T${time}${zone}`),
    isDate: true,
    expected: 'a time with seconds and an offset or Z, on a day of the calendar',
  },
  time: { json: 'string', form: form(time), expected: 'a time of day: hh:mm:ss' },
  xhtml: {
    json: 'string',
    form: /^\s*<(?:\w+:)?div\b[\s\S]*>\s*$/,
    isUnbounded: true,
    expected: 'a <div> of XHTML',
  },
};

export type PrimitiveFault = {
  readonly code: 'wrong_type' | 'malformed_value' | 'empty_value' | 'text_too_long';
  readonly expected: string;
};

/** Checks the value of a primitive; returns undefined for a valid value. */
export type PrimitiveCheck = (value: unknown) => PrimitiveFault | undefined;

/** The check of a primitive type; undefined for a type that is not primitive. */
export function primitiveCheck(type: string): PrimitiveCheck | undefined {
  const found = Object.hasOwn(primitives, type) ? primitives[type] : undefined;
  return found === undefined ? undefined : checkOf(found);
}

function checkOf(primitive: Primitive): PrimitiveCheck {
  const { json, expected } = primitive;
  const malformed = { code: 'malformed_value', expected } as const;
  const otherType = { code: 'wrong_type', expected } as const;
  switch (json) {
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? undefined : otherType);
    case 'number': {
      const { min, max } = primitive;
      const isRight = (value: number) =>
        min === undefined || max === undefined
          ? Number.isFinite(value)
          : Number.isInteger(value) && value >= min && value <= max;
      return (value) => {
        if (typeof value !== 'number') return otherType;
        return isRight(value) ? undefined : malformed;
      };
    }
    case 'string':
      return textCheck(primitive, malformed, otherType);
  }
}

function textCheck(
  { form: pattern, expected, isDate = false, isUnbounded = false }: Primitive,
  malformed: PrimitiveFault,
  otherType: PrimitiveFault,
): PrimitiveCheck {
  const empty = { code: 'empty_value', expected } as const;
  const tooLong = { code: 'text_too_long', expected: `at most ${longestText} characters` } as const;
  return (value) => {
    if (typeof value !== 'string') return otherType;
    if (value === '') return empty;
    if (value.length > longestText && !isUnbounded) return tooLong;
    if (pattern?.test(value) === false || (isDate && !isCalendarDay(value))) return malformed;
    // Half of a surrogate pair, such as `\ud800`, is not a character.
    return value.isWellFormed() ? undefined : malformed;
  };
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date or time that matches its form is on a day that exists. */
function isCalendarDay(value: string): boolean {
  if (value.length < 10) return true;
  const days = Number(value.slice(8, 10));
  if (days <= 28) return true;
  const [years, months] = [Number(value.slice(0, 4)), Number(value.slice(5, 7))];
  const isLeap = (years % 4 === 0 && years % 100 !== 0) || years % 400 === 0;
  return days <= (months === 2 && isLeap ? 29 : (monthDays[months - 1] ?? 0));
}

/**
 * The check of a person's birth date: a FHIR date, or one in which the plan wrote `00` for a month or day that it does not know
 * (`1956-00-00`, `1956-07-00`).
 */
export const checkBirthDate: PrimitiveCheck = (value) => {
  const known =
    typeof value === 'string' ? value.replace(/^(\d{4})-00-00$|^(\d{4}-\d\d)-00$/, '$1$2') : value;
  return checkDate(known);
};
const checkDate = checkOf(primitives.date as Primitive);

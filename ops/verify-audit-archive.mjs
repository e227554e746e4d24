#!/usr/bin/env node
/**
 * Verifies files of the audit archive against the public keys of their seals: without AWS, without this service, and with what Node.js
 * (22 or newer) brings. An auditor needs this file, a directory of archive files, and the public keys (`ops audit keys`).
 * docs/audit.md describes the format.
 */

import { createPublicKey, hash, randomInt, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, gunzipSync } from 'node:zlib';

const usage = `Usage: node verify-audit-archive.mjs DIRECTORY --key FILE [options]

Verifies the files of the audit archive in DIRECTORY and the folders in it. Prints a line for each trail, and what is altered, missing,
added or in another order. Exit code 0: everything is as it was sealed. 1: something is not. 2: the command can't be carried out.

  --key FILE       public key of the seals as PEM; repeat it, or give a file with several keys
  --from DATE      every trail must begin at this day or before (2026-01-01)
  --until DATE     every trail must reach this day
  --sample N       verify the events of one in N files, chosen at random, and all seals
  --json           print the result as JSON
`;

const sha256 = (text) => hash('sha256', text, 'hex');
const pathOfFile = /^(?:.*\/)?(\w+)\/(\w+)\/\d{4}\/\d\d\/\d\d\/(\d{10})-(\d{4})\.ndjson\.gz$/;
/** Milliseconds that a trail may end before the others: there is a seal in each hour, even without events. */
const behindMs = 2 * 60 * 60_000;
/** Bytes of a file that contain its first line, in a file whose events are not verified. */
const headBytes = 64 * 1024;

/** Lists the archive files below a directory by trail, in the order of seals and their files. */
function filesByTrail(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ndjson.gz'))
    .map((entry) => join(entry.parentPath, entry.name));
  const trails = new Map();
  const misplaced = [];
  for (const path of files) {
    const name = relative(directory, path).split(sep).join('/');
    const [, environment, issuer, sequence, file] = pathOfFile.exec(name) ?? [];
    if (environment === undefined) {
      misplaced.push({ kind: 'file_misplaced', file: name });
      continue;
    }
    const trail = `${environment}/${issuer}`;
    const found = trails.get(trail) ?? [];
    found.push({ path, name, trail, sequence: Number(sequence), file: Number(file) });
    trails.set(trail, found);
  }
  for (const found of trails.values()) found.sort((a, b) => a.sequence - b.sequence || a.file - b.file);
  return { trails: new Map([...trails].sort(([a], [b]) => (a < b ? -1 : 1))), misplaced };
}

/** Reads the lines of a file; with `headOnly`, its first. Undefined if it is cut or damaged. */
function linesOf(path, headOnly) {
  try {
    const bytes = readFileSync(path);
    const text = (
      headOnly
        ? gunzipSync(bytes.subarray(0, headBytes), { finishFlush: constants.Z_SYNC_FLUSH })
        : gunzipSync(bytes)
    ).toString('utf8');
    const end = headOnly ? text.indexOf('\n') : text.length - 1;
    return text[end] === '\n' ? text.slice(0, end).split('\n') : undefined;
  } catch {
    return undefined;
  }
}

/** Parses JSON; undefined if it is none. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Verifies that a key of those given signed a statement. Remembers by key ID which one it was. */
function signatureCheck(keys) {
  const byId = new Map();
  return (statement, signature, keyId) => {
    const isBy = (key) =>
      verify('sha256', Buffer.from(statement), key, Buffer.from(String(signature), 'base64'));
    const known = byId.get(keyId);
    if (known !== undefined) return isBy(known);
    const found = keys.find(isBy);
    if (found !== undefined) byId.set(keyId, found);
    return found !== undefined;
  };
}

/** Root of the hash tree over leaves (RFC 9162 section 2.1.1), as `audit-seal` computes it. */
function merkleRoot(leaves, from = 0, to = leaves.length) {
  if (to === from) return sha256('');
  if (to - from === 1) return sha256(`leaf ${leaves[from]}`);
  let split = 1;
  while (split * 2 < to - from) split *= 2;
  return sha256(`node ${merkleRoot(leaves, from, from + split)} ${merkleRoot(leaves, from + split, to)}`);
}

/** Verifies the files of one trail: its seals in their order, and the events of each. */
function verifyTrail(files, isSigned, sample) {
  const trail = { seals: 0, events: 0, from: '', until: '', findings: [], notes: [] };
  let previous;
  for (const own of Map.groupBy(files, ({ sequence }) => sequence).values()) {
    const seal = openSeal(own, isSigned, sample, trail.findings);
    if (seal === undefined) continue;
    compareWithPrevious(seal, previous, trail);
    if (seal.isSigned) trail.events += verifyLists(seal, trail.findings);
    trail.seals += 1;
    trail.from ||= seal.statement.from;
    trail.until = seal.statement.until;
    previous = seal;
  }
  return trail;
}

/** Reads the files of a seal and verifies its signature. Undefined if no file can be read. */
function openSeal(files, isSigned, sample, findings) {
  const { sequence } = files[0];
  const contents = [];
  let seal;
  for (const file of files) {
    const isWhole = sample === 1 || randomInt(sample) === 0;
    const lines = linesOf(file.path, !isWhole);
    const head = parsed(lines?.[0] ?? '');
    const statement = parsed(head?.seal?.statement ?? '');
    const place = `${statement?.environment}/${statement?.authority} ${statement?.sequence} ${head?.file}`;
    if (statement === undefined) findings.push({ kind: 'file_unreadable', sequence, file: file.name });
    else if (place !== `${file.trail} ${sequence} ${file.file}`) {
      findings.push({ kind: 'file_misplaced', sequence, file: file.name });
    } else {
      seal ??= { sequence, text: head.seal.statement, signature: head.seal.signature, statement };
      if (seal.text === head.seal.statement) contents.push(isWhole ? lines.slice(1) : undefined);
      else findings.push({ kind: 'seal_altered', sequence, keyId: statement.keyId });
    }
  }
  if (seal === undefined) return undefined;
  const { keyId } = seal.statement;
  const valid = isSigned(seal.text, seal.signature, keyId);
  if (!valid) findings.push({ kind: 'seal_altered', sequence, keyId });
  return { ...seal, contents, isSigned: valid };
}

/** Compares a seal with the one before it: its number, its digest and its period. */
function compareWithPrevious({ sequence, statement, isSigned }, previous, { findings, notes }) {
  if (previous !== undefined && sequence > previous.sequence + 1) {
    findings.push({ kind: 'seal_missing', sequence: previous.sequence + 1, to: sequence - 1 });
  }
  if (!isSigned) return;
  const isNext = previous?.sequence === sequence - 1;
  const follows = isNext
    ? statement.previous === sha256(previous.text) && statement.from === previous.statement.until
    : sequence !== 1 || statement.previous === '';
  // A seal that was altered is reported itself.
  if (!follows && previous?.isSigned !== false) findings.push({ kind: 'seal_replaced', sequence });
  if (Date.parse(statement.sealedAt) - Date.parse(statement.until) > 60 * 60_000) {
    notes.push({ kind: 'sealed_late', sequence, sealedAt: statement.sealedAt });
  }
}

/**
 * Verifies the lists of a seal, part by part.
 *
 * @returns the number of events verified
 */
function verifyLists({ sequence, statement, contents }, findings) {
  const found = new Map();
  for (const part of contents.flatMap((lines) => partsOf(lines ?? []))) {
    const place = `${part.head.shard} ${part.head.part}`;
    if (found.has(place)) findings.push({ kind: 'part_added', sequence, place });
    else found.set(place, part);
  }
  let events = 0;
  let missing = 0;
  for (const { shard, parts, chain } of statement.lists) {
    let before = '';
    for (let part = 0; part < parts; part += 1) {
      const own = found.get(`${shard} ${part}`);
      found.delete(`${shard} ${part}`);
      if (own === undefined) missing += 1;
      else events += verifyPart(own, before, { sequence, shard, part }, findings);
      before = own?.head.chain;
    }
    if (before !== undefined && before !== chain) findings.push({ kind: 'list_altered', sequence, shard });
  }
  // The events of files that were not in the sample have not been read.
  if (missing > 0 && !contents.includes(undefined))
    findings.push({ kind: 'parts_missing', sequence, missing });
  for (const place of found.keys()) findings.push({ kind: 'part_added', sequence, place });
  return events;
}

/** Divides lines into parts: the line of a part, and the events that follow it. */
function partsOf(lines) {
  const parts = [];
  for (const line of lines) {
    if (line.startsWith('{"shard":')) {
      const { shard, part, chain, digests = [] } = parsed(line) ?? {};
      parts.push({ head: { shard, part, chain, digests }, events: [] });
    } else parts.at(-1)?.events.push(line);
  }
  return parts;
}

/**
 * Verifies the events of a part: each has the digest that is listed for it, and the digests lead to the part's chain.
 *
 * @param before chain of the previous part; undefined if that is missing.
 * @returns the number of its events
 */
function verifyPart({ head, events }, before, place, findings) {
  const digests = events.map(sha256);
  const differing = differences(digests, head.digests, events, place);
  findings.push(...differing);
  // The listed digest of an event that was altered proves that it alone was. If an event is missing, so is its key, and the chain is unknown.
  const isComplete = differing.every(({ kind }) => kind === 'event_altered');
  const leaves = events.map((line, at) => {
    const { pk, sk } = parsed(line) ?? {};
    return `${sk} ${pk} ${head.digests[at]}`;
  });
  const isLinked = before === undefined || head.chain === sha256(`part ${before} ${merkleRoot(leaves)}`);
  if (isComplete && !isLinked) findings.push({ kind: 'part_altered', ...place });
  return events.length;
}

/** Finds events whose digests are not those that are listed. */
function differences(actual, listed, events, place) {
  if (actual.length === listed.length && actual.every((digest, at) => digest === listed[at])) return [];
  const [present, sealed] = [new Set(actual), new Set(listed)];
  const isSameLength = actual.length === listed.length;
  const others = actual.flatMap((digest, at) => (sealed.has(digest) ? [] : [at]));
  const missing = listed.flatMap((digest, at) => (present.has(digest) ? [] : [at]));
  const inPlace = new Set(isSameLength ? others.filter((at) => !present.has(listed[at])) : []);
  const findings = others.map((at) => {
    const { pk, sk, ...rest } = parsed(events[at]) ?? {};
    const isKey = pk !== undefined && Object.keys(rest).length === 0;
    const kind = isKey ? 'event_missing' : inPlace.has(at) ? 'event_altered' : 'event_added';
    return { kind, ...place, pk, sk, line: at + 1 };
  });
  for (const at of missing.filter((each) => !inPlace.has(each))) {
    const { pk, sk } = parsed(events[actual.indexOf(listed[at - 1])] ?? '') ?? {};
    findings.push({ kind: 'event_removed', ...place, digest: listed[at], pk, sk });
  }
  return findings.length > 0 ? findings : [{ kind: 'events_reordered', ...place }];
}

/** Finds trails that begin later or end earlier than they must: files cut off at an end, where no other seal shows it. */
function verifyPeriods(trails, { from, until }) {
  const newest = Math.max(...trails.map((trail) => Date.parse(trail.until) || 0));
  const reached = until === undefined ? newest - behindMs : Date.parse(until);
  for (const trail of trails) {
    if (!(Date.parse(trail.until) >= reached)) {
      trail.findings.push({ kind: 'trail_ends_early', until: trail.until });
    }
    if (from !== undefined && !(Date.parse(trail.from) <= Date.parse(from))) {
      trail.findings.push({ kind: 'trail_begins_late', from: trail.from });
    }
  }
}

const partText = ({ sequence, shard, part }) => `seal ${sequence}, shard ${shard}, part ${part}`;
const eventText = ({ pk, sk, line }) => (pk === undefined ? `event ${line}` : `the event ${sk} of ${pk}`);
const sentences = {
  file_unreadable: ({ file }) => `${file} is cut or damaged`,
  file_misplaced: ({ file }) => `${file} is not what its name says`,
  seal_missing: ({ sequence, to }) =>
    to === sequence ? `seal ${sequence} is missing` : `seals ${sequence} to ${to} are missing`,
  seal_altered: ({ sequence, keyId }) =>
    `seal ${sequence} was altered, or none of the given keys signed it. It names the key ${keyId}`,
  seal_replaced: ({ sequence }) => `seal ${sequence} does not continue the seal before it`,
  sealed_late: ({ sequence, sealedAt }) =>
    `note: seal ${sequence} was made late, at ${sealedAt}: sealing had stopped, or seals were made again`,
  list_altered: ({ sequence, shard }) =>
    `the events of seal ${sequence}, shard ${shard}, are not those that were sealed`,
  parts_missing: ({ sequence, missing }) => `seal ${sequence}: ${missing} parts of its events are missing`,
  part_added: ({ sequence, place }) =>
    `seal ${sequence}: a part was added or is there twice (shard and part ${place})`,
  part_altered: (part) => `the events of ${partText(part)}, are not those that were sealed`,
  events_reordered: (part) => `the events of ${partText(part)}, are in another order`,
  event_altered: (event) => `${eventText(event)} was altered (${partText(event)})`,
  event_added: (event) => `${eventText(event)} was added (${partText(event)})`,
  event_missing: (event) => `${eventText(event)} was missing when it was archived (${partText(event)})`,
  event_removed: ({ digest, ...before }) =>
    `an event was removed${before.pk === undefined ? '' : ` after ${eventText(before)}`} (${partText(before)}; its digest is ${digest})`,
  trail_ends_early: ({ until }) => `the trail ends at ${until || 'no seal'}: later files are missing`,
  trail_begins_late: ({ from }) => `the trail begins at ${from || 'no seal'}: earlier files are missing`,
};

/** Reads the command line. @throws Error with what is wrong. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      until: { type: 'string' },
      sample: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: true };
  const [directory] = positionals;
  if (positionals.length !== 1) throw new Error('Give one directory with archive files.');
  const pems = values.key.flatMap(
    (file) =>
      readFileSync(file, 'utf8').match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [],
  );
  if (pems.length === 0) throw new Error('Give the public key of the seals as PEM: --key FILE.');
  for (const name of ['from', 'until']) {
    if (values[name] !== undefined && Number.isNaN(Date.parse(values[name]))) {
      throw new Error(`--${name} is ${values[name]}, which is no date such as 2026-01-01.`);
    }
  }
  const sample = Number(values.sample);
  if (!Number.isInteger(sample) || sample < 1) throw new Error('--sample must be a whole number from 1.');
  return { ...values, directory, sample, keys: pems.map((pem) => createPublicKey(pem)) };
}

const fingerprintOf = (key) => hash('sha256', key.export({ format: 'der', type: 'spki' }), 'hex');

function main() {
  const options = readArguments();
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const { trails: files, misplaced } = filesByTrail(options.directory);
  if (files.size === 0) throw new Error(`There are no archive files (*.ndjson.gz) in ${options.directory}.`);
  const isSigned = signatureCheck(options.keys);
  const trails = [...files].map(([name, own]) => ({ name, ...verifyTrail(own, isSigned, options.sample) }));
  verifyPeriods(trails, options);
  const isVerified = misplaced.length === 0 && trails.every(({ findings }) => findings.length === 0);
  if (options.json) console.log(JSON.stringify({ isVerified, trails, misplaced }, undefined, 2));
  else {
    for (const { name, seals, events, from, until, findings, notes } of trails) {
      const result = findings.length === 0 ? 'verified' : `${findings.length} findings`;
      console.log(`${name}: ${seals} seals, ${events} events, from ${from} until ${until}: ${result}`);
      for (const each of [...findings, ...notes]) console.log(`  ${sentences[each.kind](each)}`);
    }
    for (const each of misplaced) console.log(sentences[each.kind](each));
    if (options.sample > 1)
      console.log(`The events of one in ${options.sample} files were verified, chosen at random.`);
    for (const key of options.keys) console.log(`Key with the SHA-256 fingerprint ${fingerprintOf(key)}.`);
    console.log(isVerified ? 'Everything is as it was sealed.' : 'Not everything is as it was sealed.');
  }
  return isVerified ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`${error.message}\n\n${usage}`);
  process.exitCode = 2;
}

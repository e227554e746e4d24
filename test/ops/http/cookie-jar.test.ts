import { describe, expect, it } from 'vitest';
import { createCookieJar } from '../../../ops/http/cookie-jar.ts';

const url = 'http://auth.sandbox.localhost:8080/fhir-oauth2/sec/dsnp/authorize';

describe('the cookie jar', () => {
  it('sends a cookie back to its host and path alone', () => {
    const jar = createCookieJar();
    jar.store(url, ['__Host-a=1=2; Path=/; Secure; HttpOnly', 'b=3; Path=/fhir-oauth2']);
    expect(jar.header(url)).toBe('__Host-a=1=2; b=3');
    expect(jar.header('http://auth.sandbox.localhost:8080/other')).toBe('__Host-a=1=2');
    expect(jar.header('http://auth.sandbox.localhost:8080/fhir-oauth2x')).toBe('__Host-a=1=2');
    expect(jar.header('http://auth.production.localhost:8080/fhir-oauth2')).toBeUndefined();
  });

  it('takes the directory of the page where no path is given', () => {
    const jar = createCookieJar();
    jar.store(url, ['c=1']);
    expect(jar.header('http://auth.sandbox.localhost:8080/fhir-oauth2/sec/dsnp/consent')).toBe('c=1');
    expect(jar.header('http://auth.sandbox.localhost:8080/fhir-oauth2/sec/mapd/consent')).toBeUndefined();
  });

  it('replaces a cookie and forgets one that has ended', () => {
    const jar = createCookieJar(() => Date.parse('2026-03-02'));
    jar.store(url, ['a=1; Path=/', 'b=1; Path=/']);
    jar.store(url, ['a=2; Path=/', 'b=; Path=/; Max-Age=0']);
    expect(jar.header(url)).toBe('a=2');
    jar.store(url, ['a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
    expect(jar.header(url)).toBeUndefined();
  });
});

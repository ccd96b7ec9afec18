import { describe, expect, it } from '@jest/globals';
import { HostOriginGuard } from './host-origin.js';

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

describe('HostOriginGuard', () => {
  const local = new HostOriginGuard('127.0.0.1', ['https://app.example.com']);
  const open = new HostOriginGuard('0.0.0.0', []);

  it.each([
    ['localhost:7480', true],
    ['127.0.0.1', true],
    ['[::1]:7480', true],
    ['LOCALHOST:1', true],
    ['evil.example.com', false],
    ['127.0.0.1.evil.example.com', false],
    ['localhost@evil.example.com', false],
    ['', false],
    [undefined, false],
  ])('on loopback, Host %s passes: %s', (host, expected) => {
    expect(passes(() => local.checkHost(host))).toBe(expected);
  });

  it('accepts any Host if it is reachable from elsewhere', () => {
    expect(passes(() => open.checkHost('cairn.example.com'))).toBe(true);
  });

  it.each([
    [undefined, true],
    ['https://app.example.com', true],
    ['http://localhost:7480', true],
    ['http://localhost:9999', false],
    ['https://app.example.com.evil.com', false],
    ['https://evil.example.com', false],
    ['null', false],
    ['', false],
  ])('Origin %s passes: %s', (origin, expected) => {
    expect(passes(() => local.checkOrigin(origin, 'localhost:7480'))).toBe(expected);
  });
});

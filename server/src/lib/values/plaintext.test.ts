import { expect, test } from 'vitest';
import { isPlainHttp, isPlainPostgres, isPlainRedis, isThisMachine } from './plaintext.ts';

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
  ['', false],
])('this machine: %s is %s', (hostname, expected) => expect(isThisMachine(hostname)).toBe(expected));

test.each([
  ['http://127.0.0.1:8080', false],
  ['http://localhost:8080', false],
  ['https://api.example.com', false],
  ['http://api.example.com', true],
  ['http://192.0.2.1', true],
  // A different spelling of the same address.
  ['http://2130706433', false],
])('plain http: %s is %s', (address, expected) => expect(isPlainHttp(address)).toBe(expected));

test.each([
  ['redis://127.0.0.1:6379', false],
  ['redis:///0', false],
  ['rediss://cache.example.com', false],
  ['redis://cache.example.com', true],
  ['redis://:password@192.0.2.1', true],
])('plain Redis: %s is %s', (address, expected) => expect(isPlainRedis(address)).toBe(expected));

test.each([
  ['postgres://app@127.0.0.1/trefoil', false],
  ['postgres://app@localhost:5433/trefoil', false],
  ['postgres:///trefoil?host=/var/run/postgresql', false],
  ['postgres://app@%2Fvar%2Frun%2Fpostgresql/trefoil', false],
  ['postgres://app@db.example.com/trefoil?sslmode=verify-full', false],
  ['postgres://app@db.example.com/trefoil?sslmode=require', true],
  ['postgres://app@db.example.com/trefoil', true],
  ['postgres://app@db.example.com/trefoil?sslmode=prefer', true],
  ['postgres://app@db.example.com/trefoil?sslmode=disable', true],
  ['postgres://app@db.example.com/trefoil?sslmode=no-verify', true],
  ['postgres://app@db.example.com/trefoil?sslmode=verify-full&sslmode=disable', true],
  ['postgres://app@127.0.0.1/trefoil?host=127.0.0.1&host=db.example.com', true],
  ['postgres://app@127.0.0.1/trefoil?host=db.example.com', true],
  ['postgres:///trefoil', true],
])('plain PostgreSQL: %s is %s', (address, expected) => expect(isPlainPostgres(address)).toBe(expected));

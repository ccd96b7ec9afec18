import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate, generated at run time: no key is in the repository, and no tool is needed. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';

const lengthOf = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size]);
  return size < 0x100 ? Buffer.from([0x81, size]) : Buffer.from([0x82, size >> 8, size & 0xff]);
};

/** One DER value: its tag, its length, its content. */
const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
};

const objectId = (hex: string): Buffer => der(OBJECT_ID, Buffer.from(hex, 'hex'));
const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, objectId(COMMON_NAME), der(UTF8_STRING, Buffer.from(text)))));
const timeOf = (year: number): Buffer => der(GENERALIZED_TIME, Buffer.from(`${year}0101000000Z`));

const pem = (bytes: Buffer): string => {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
};

export const testCertificate = (dnsName: string, ipv4: readonly number[], untilYear = 2126): TestCertificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, objectId(ECDSA_WITH_SHA256));
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from(dnsName)), der(IP_ADDRESS, Buffer.from(ipv4)));
  const toSign = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    nameOf(dnsName),
    der(SEQUENCE, timeOf(2020), timeOf(untilYear)),
    nameOf(dnsName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, objectId(SUBJECT_ALT_NAME), der(OCTET_STRING, names)))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', toSign, privateKey));
  return {
    cert: pem(der(SEQUENCE, toSign, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
};

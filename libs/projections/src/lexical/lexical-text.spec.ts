import { describe, expect, it } from '@jest/globals';
import { QUERY_TERMS_MAX } from '@cairn/contracts';
import { lexicalQuery, lexicalText } from './lexical-text.js';

describe('lexical text', () => {
  it.each([
    ['Call getUserById(42).', 'call getuserbyid 42'],
    ['error -32605', 'error 32605'],
    ['ERR_CONN_4711!', 'err conn 4711 errconn4711'],
    ['at /authorize, or /v1/users', 'at authorize or v1 users v1users'],
    ['Grüße, Ångström', 'grüße ångström'],
    ['"quoted" & (odd) | 😀', 'quoted odd'],
    ['a.b.c.d.e.f.g', 'a b c d e f g'],
    ['', ''],
    ['東京タワー', '東 京 東京 京タ タワ ワー'],
    ['iPhoneの使い方', 'iphone 使 方 の使 使い い方'],
    ['猫', '猫'],
    ['灯台。ランプ、「火」', '灯 台 灯台 ラン ンプ 火'],
    ['2024年', '2024 年'],
    ['ကခ။ဂဃ', 'ကခ ဂဃ'],
    ['ห้อง', 'ห้ ้อ อง'],
    ['ＡＢＣ, ｶﾅ and the ﬁnance of cafe\u0301', 'abc カナ and the finance of café'],
  ])('turns %j into plain words', (text, words) => {
    expect(lexicalText(text)).toBe(words);
  });

  it('queries pairs in scripts without spaces between words, and a single letter only if it stands alone', () => {
    expect(lexicalQuery('東京タワー')).toBe('東京 京タ タワ ワー');
    expect(lexicalQuery('猫 𠮷野')).toBe('猫 𠮷野');
    expect(lexicalQuery('𠮷')).toBe('𠮷');
  });

  it('queries each word once, and a limited number of words', () => {
    expect(lexicalQuery('lorem ipsum Lorem')).toBe('lorem ipsum');
    const many = Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(' ');
    expect(lexicalQuery(many).split(' ')).toHaveLength(QUERY_TERMS_MAX);
  });
});

import { expect, test } from 'vitest';
import { encode } from '../base64.ts';
import { storedKey } from './key.ts';
import { parseSetting } from './setting.ts';

/** From libxcrypt's crypt(3), by way of perl: Debian's costs, and lanes, times and sizes that nobody sets. */
const vectors: readonly (readonly [password: string, hash: string])[] = [
  ['', '$y$j75$awQFCbiZwW/wswq5PuRNm1$2Cf6ojm27kZP5ji/7kFLiOgT0FJ1k7Vm0hJ3QATeET1'],
  ['Hello world!', '$y$j75$awQFCbiZwW/wswq5PuRNm1$94tnGti05Rk9cW7CEbe2AIyF1pM3zlaOS0WUiZ8kAdB'],
  ['päß', '$y$j75$awQFCbiZwW/wswq5PuRNm1$7Mid4G4zkv9AByHmg9lCqwAjJghuBJyTaKlFlVmh4V8'],
  ['12345678', '$y$j75$awQFCbiZwW/wswq5PuRNm1$15Fw65FoXHej2Jvxqbvwy/O49vgeTvYGYtRMkhHgfE0'],
  ['123456789', '$y$j75$awQFCbiZwW/wswq5PuRNm1$S5DISrQaJ5OnWCA2tMrpXRa/W6HV7RNINWKaTp9Tay3'],
  ['a'.repeat(70), '$y$j75$awQFCbiZwW/wswq5PuRNm1$uNgm.6ftKAVwllNmhRzjVhdtdoXmOtCpIWUuGWv8KO2'],
  ['é'.repeat(100), '$y$j75$awQFCbiZwW/wswq5PuRNm1$dhbXfOe2DafCbxmWWdUP3tgaZxvipxjK2M361fbkQ9A'],
  ['Hello world!', '$y$j9T$4/DMUN4QY9xzB3QJO74He/$hgQCaELfHgCYm6C47BxemMA7nzRqL5uRe2Wk.18s3T1'],
  ['päß', '$y$j9T$4/DMUN4QY9xzB3QJO74He/$tKsHP98flbx4iXtH3n1xqrXlUNhVRha9mYh4iJykMH.'],
  ['a'.repeat(70), '$y$j9T$4/DMUN4QY9xzB3QJO74He/$Hzjoj6aOQySKvSUVOflgQvaI56SfQ6hngV9wZ3NIq8D'],
  ['Hello world!', '$y$j7T$J.PwQwxMVGCfG6lEctZ/V1$zOL0rc2NR1ysKZTuNF.n8Ez5t9AKbhNUpTp.tZCMsl1'],
  ['Hello world!', '$y$jAT$F63wa63vWCEuLeCDwOpK3/$S9FCkEzi/SjF1FaV9tMNhbzubIq03t6tShO3Ved4d70'],
  ['Hello world!', '$y$jBT$FPwwCANSuBS42kHYwj4Jq0$1sx/puhsZrR4icJ8qL.8RRUtpsq/wnpqkx4YI6V4Cd.'],
  ['Hello world!', '$y$j75..$abcd$LvBTVlYHG8Y4Rd0evW2j78dSJv6hFbyvkjoIvrc17k/'],
  ['Hello world!', '$y$j75./$abcd$8Rep7N7gQSVtbo3Nhhjtm5FUjnUT4UNXHi./k8xh9aA'],
  ['Hello world!', '$y$j75/.$abcd$R/STK04E73ORgVaSfvYwymVMB7gBiD8fUTAE1TMxco4'],
  ['Hello world!', '$y$j75//$abcd$SIsKjhd5/OGQZi5Uatlzlj3X5cUEjhp.Oz5W5uJhpx.'],
  ['Hello world!', '$y$j75/0$abcd$FOWUxGzZVYNt0WYxba8C3cxh2pVLaxFeD5cD33kMFYD'],
  ['Hello world!', '$y$j7500.$abcd$Fg6OO7P.p7lyeK5hStsNipnViyY3cgS7IXvBXtRJnIC'],
  ['Hello world!', '$y$j9T./$abcd$jCOgCGp4CYYCZ9STqk5YdJ4rUKUaErDF1XXBi33HIuC'],
  ['Hello world!', '$y$j4kn$abcd$yWZNQzeWxSbFBzpAnOM6kPWWz7lyG1ZuOjKNdg3rrg9'],
  ['Hello world!', '$y$j/.$abcd$R2FJ9d.Wu9YMXRPMDUxcX2aKFPzxPR83kBoPQsNYdb1'],
  ['Hello world!', '$y$j75$$n98TjUol7Wd05/VgwHTCaavTogQ0OBsqZI.5/2WSLO4'],
  ['Hello world!', '$y$j75$./$Rp4KjhFlLioXslV8L9L7HhKBm3JfZ4YCDhNYYo5pAp5'],
  [
    'Hello world!',
    '$y$j75$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/.....$Anv4uO8pJdZ0QBcGOKsED1vzbY60r4KmHRlJsWxOSGD',
  ],
];

function computed(password: string, hash: string): string | undefined {
  const setting = parseSetting(hash);
  return setting && encode(storedKey({ password, ...setting }));
}

test.each(vectors)('%s → %s', (password, hash) => {
  expect(computed(password, hash)).toBe(hash.slice(-43));
});

test('a wrong password gives another key', () => {
  const [, hash] = vectors[1] ?? ['', ''];
  for (const wrong of ['', 'hello world!', 'Hello world! ', 'Hello world']) {
    expect(computed(wrong, hash)).toMatch(/^[./0-9A-Za-z]{43}$/);
    expect(computed(wrong, hash)).not.toBe(hash.slice(-43));
  }
});

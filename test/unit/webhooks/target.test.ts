import { expect, it } from 'vitest';
import { findTargetFault, isPublicAddress } from '../../../src/webhooks/target.ts';

const PUBLIC = [
  '1.1.1.1',
  '93.184.215.14',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
];

const REFUSED = {
  unspecified: ['0.0.0.0', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
  'link-local': ['169.254.169.254', 'fe80::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'shared by carriers': ['100.64.0.1'],
  'of a cloud': ['168.63.129.16'],
  multicast: ['224.0.0.1', 'ff02::1', 'ff0e::1'],
  reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.1', '198.18.0.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  benchmarking: ['2001:2::1'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  discard: ['100::1'],
  'segment routing': ['5f00::1'],
  'not global unicast': ['4000::1', '1000::1', '8000::1', 'e000::1', '200::1'],
  'with a zone': ['fe80::1%eth0', '2606:4700:4700::1111%1'],
};

it.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each(Object.entries(REFUSED))('addresses that are %s are not public', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

const lookUp = async () => {
  throw new Error('an address is not looked up');
};

it('no URL of such an address can be a target, however it is written', async () => {
  const addresses = Object.values(REFUSED).flat();
  const urls = addresses.map((address) => `https://${address.includes(':') ? `[${address}]` : address}/hook`);
  urls.push(
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[0:0:0:0:0:0:7f00:0001]/',
    'https://[4000:0::0:1]/',
  );
  for (const url of urls) {
    const isAllowed = (await findTargetFault(url, { allowPrivate: false, lookUp })) === null;
    expect({ url, isAllowed }).toEqual({ url, isAllowed: false });
  }
});

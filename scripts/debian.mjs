/** The Debian packages that tests need: real servers and clients. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step } from './workspace.mjs';

/** Package → a file by which it is known to be there. */
const forTests = {
  chromium: '/usr/bin/chromium',
  curl: '/usr/bin/curl',
  'dovecot-imapd': '/usr/lib/dovecot/imap',
  'dovecot-ldap': '/usr/share/doc/dovecot-ldap',
  eapoltest: '/usr/bin/eapol_test',
  freeradius: '/usr/sbin/freeradius',
  'freeradius-rest': '/usr/lib/freeradius/rlm_rest.so',
  'freeradius-utils': '/usr/bin/radclient',
  'ldap-utils': '/usr/bin/ldapsearch',
  'libapache2-mod-auth-openidc': '/usr/lib/apache2/modules/mod_auth_openidc.so',
  'libpam-radius-auth': '/usr/share/doc/libpam-radius-auth',
  'libpam-wrapper': '/usr/lib/x86_64-linux-gnu/libpam_wrapper.so',
  'libnss3-tools': '/usr/bin/cmsutil',
  logrotate: '/usr/sbin/logrotate',
  'nginx-light': '/usr/sbin/nginx',
  oathtool: '/usr/bin/oathtool',
  'openssh-client': '/usr/bin/ssh-keygen',
  'openssh-server': '/usr/sbin/sshd',
  openssl: '/usr/bin/openssl',
  pamtester: '/usr/bin/pamtester',
  pebble: '/usr/bin/pebble',
  'php-cli': '/usr/bin/php',
  'php-soap': '/usr/share/doc/php-soap',
  'poppler-utils': '/usr/bin/pdfsig',
  postgresql: '/usr/share/doc/postgresql',
  'putty-tools': '/usr/bin/puttygen',
  'python3-zeep': '/usr/lib/python3/dist-packages/zeep',
  slapd: '/usr/sbin/slapd',
  sudo: '/usr/sbin/visudo',
  'zbar-tools': '/usr/bin/zbarimg',
};

/**
 * Packages that change who may log in to the machine when they are installed: they are only unpacked, and tests run them from there.
 * Package → a file of it.
 */
const unpackedForTests = {
  'libnss-ldapd': 'lib/x86_64-linux-gnu/libnss_ldap.so.2',
  'libpam-ldapd': 'lib/x86_64-linux-gnu/security/pam_ldap.so',
  nslcd: 'usr/sbin/nslcd',
  'sssd-ldap': 'usr/lib/x86_64-linux-gnu/sssd/libsss_ldap.so',
};

/** Where they are. */
export const unpackedFolder = '/var/cache/watchword-tests';

const forActiveDirectory = {
  iproute2: '/sbin/ip',
  'krb5-user': '/usr/bin/kinit',
  'ldap-utils': '/usr/bin/ldapsearch',
  openssl: '/usr/bin/openssl',
  samba: '/usr/sbin/samba',
  'samba-ad-dc': '/usr/share/doc/samba-ad-dc',
  'samba-ad-provision': '/usr/share/samba/setup',
  'samba-dsdb-modules': '/usr/share/doc/samba-dsdb-modules',
  socat: '/usr/bin/socat',
  winbind: '/usr/sbin/winbindd',
};

/** Installs what is missing, as root on Debian; elsewhere says what is missing and ends the process. */
export function ensureDebianPackages({ activeDirectory }) {
  ensureNeeded(activeDirectory);
  if (!activeDirectory) tryHeadlessShell();
}

function ensureNeeded(activeDirectory) {
  const wanted = activeDirectory ? forActiveDirectory : forTests;
  const missing = Object.keys(wanted).filter((name) => !existsSync(wanted[name]));
  const packed = activeDirectory ? [] : Object.keys(unpackedForTests).filter((name) => !isUnpacked(name));
  if (missing.length === 0 && packed.length === 0) return;
  if (!mayInstall()) {
    process.stderr.write(
      `The tests run against real servers, and these Debian packages are missing: ${[...missing, ...packed].join(', ')}.\n` +
        (missing.length > 0
          ? `Install them: apt-get install --no-install-recommends ${missing.join(' ')}\n`
          : '') +
        packed
          .map(
            (name) => `Unpack it: apt-get download ${name} && dpkg-deb -x ${name}_*.deb ${unpackedFolder}\n`,
          )
          .join(''),
    );
    process.exit(1);
  }
  step('Reading the list of Debian packages', 'apt-get', ['update', '-qq'], { env });
  if (missing.length > 0) install(missing);
  if (packed.length > 0) unpack(packed);
}

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/** Installs Chromium without windows, which takes a sixth less of processor time. The tests run without it, too. */
function tryHeadlessShell() {
  if (existsSync('/usr/bin/chromium-headless-shell') || !mayInstall()) return;
  const options = { env, stdio: 'ignore', timeout: 120_000 };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']])
    spawnSync('apt-get', ['-qq', ...args], options);
}

const isUnpacked = (name) => existsSync(join(unpackedFolder, unpackedForTests[name]));

/** With what they need that is not installed. */
function unpack(wanted) {
  const folder = mkdtempSync(join(tmpdir(), 'watchword-packages-'));
  try {
    // As root: what is not the sandbox's user's own, it cannot write.
    const asRoot = ['-o', 'APT::Sandbox::User=root'];
    const names = withNeeds(wanted);
    step(`Downloading ${names.join(', ')}`, 'apt-get', [...asRoot, 'download', '-qq', ...names], {
      env,
      cwd: folder,
    });
    for (const file of readdirSync(folder))
      step(`Unpacking ${file}`, 'dpkg-deb', ['-x', join(folder, file), unpackedFolder], { env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withNeeds(names) {
  const args = ['install', '--simulate', '-qq', '--no-install-recommends', '--no-upgrade', ...names];
  const { stdout, status } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`apt-get cannot tell what ${names.join(', ')} need: try again.`);
  return [...new Set([...names, ...[...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name)])];
}

function install(names) {
  withoutServices(() =>
    step(
      `Installing ${names.join(', ')}`,
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', ...names],
      { env },
    ),
  );
}

/** Packages of servers start them on their usual ports; the tests start their own. */
function withoutServices(install) {
  const policy = '/usr/sbin/policy-rc.d';
  const mine = !existsSync(policy);
  if (mine) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    if (mine) rmSync(policy);
  }
}

/** True if the kernel lets us make network namespaces, which Samba's fixed ports need. */
export function hasNamespaces() {
  return spawnSync('unshare', ['-n', 'true']).status === 0;
}

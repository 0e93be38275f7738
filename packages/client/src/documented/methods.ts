/** Written by `npm run docs` from the rows: what an editor shows of each method of the Manager. */
export interface DocumentedMethods {
  /** Creates a directory object. */
  readonly Create_LDAP_Object: unknown;
  /** Tells whether a directory object exists. */
  readonly Check_LDAP_Object: unknown;
  /** Adds the licence class to a user or group; false if it is active already. */
  readonly Activate_LDAP_Object: unknown;
  /** Takes the licence class from a user or group, whose settings and data are kept for the next activation; false if it is not active. */
  readonly Deactivate_LDAP_Object: unknown;
  /** Moves a directory object to another container; its RDN stays. */
  readonly Move_LDAP_Object: unknown;
  /** Gives the naming attribute of a directory object another value. */
  readonly Rename_LDAP_Object: unknown;
  /** Removes a directory object without children. */
  readonly Remove_LDAP_Object: unknown;
  /** Finds directory objects, in creation order with the base first. */
  readonly Search_LDAP_Objects: unknown;
  /** Reads attributes of a directory object; all of them if none is named. */
  readonly Get_User_Attrs: unknown;
  /** Replaces attributes of a directory object or, with `values`, adds to their values. */
  readonly Set_User_Attrs: unknown;
  /** Removes attributes (a list of names) or, with `values`, only the values given (a map). */
  readonly Remove_User_Attrs: unknown;
  /** Reads the certificates of a user as PEM, expired ones too. */
  readonly Get_User_Certificates: unknown;
  /** Removes one certificate of a user; false if it is not there. */
  readonly Remove_User_Certificate: unknown;
  /** Sets the password of a user; with `change` it must be changed at the next login. */
  readonly Set_User_Password: unknown;
  /** Tells whether a password is right. */
  readonly Check_User_Password: unknown;
  /** Finds the DN of a user by a login name in a domain. */
  readonly Get_User_DN: unknown;
  /** Names the domains whose base holds a user. */
  readonly Get_User_Domains: unknown;
  /** Finds the groups of a user. */
  readonly Get_User_Groups: unknown;
  /** Reads all login names of a user. */
  readonly Get_User_IDs: unknown;
  /** Counts the users of a domain, with `active` only the activated ones; false for an unknown domain. */
  readonly Count_Domain_Users: unknown;
  /** Tells whether a user counts against the licence. */
  readonly Check_User_Active: unknown;
  /** Merges settings into those of a user or group; null removes one. */
  readonly Set_User_Settings: unknown;
  /** Reads the settings in force for a user: defaults, groups, own. One that is asked for and has no value is left out; `dialect: deployed` answers it empty. */
  readonly Get_User_Settings: unknown;
  /** Merges data into that of a user, each value in base64; null removes one. */
  readonly Set_User_Data: unknown;
  /** Reads the data stored with a user, decrypted; by a role, secrets only where they are named in `data` and in its `read`. */
  readonly Get_User_Data: unknown;
  /** Finds users by what somebody types: those with exactly this login name first, then those with a login name, name, mail address or mobile number that begins so, in all domains. Attributes that the caller may not read find nobody. */
  readonly Find_Users: unknown;
  /** Lists the entries right below a directory object, a page at a time: with `start`, the page after the one that had it as `next`. A page may have fewer entries than `max`, or none, and a next page all the same. */
  readonly List_LDAP_Children: unknown;
  /** Writes directory objects as LDIF (RFC 2849): all that a search finds, with the attributes that the caller may read, without passwords and their hashes. */
  readonly Export_LDAP_Objects: unknown;
  /** Reads the object classes and attributes that there are in the directory of an object, for forms: what an entry of a class must and may have. */
  readonly Get_Directory_Schema: unknown;
  /** Tells an administrator who it is and what it may do: as a super administrator everything, else what its roles grant; less what the option sets leave. Every administrator may call it. */
  readonly Who_Am_I: unknown;
  /** Tells an administrator which methods it may call about an entry, without calling them; without `dn`, which of them about some entry. Roles and option sets are judged as at a call, what the directory itself refuses is not. Every administrator may call it. */
  readonly What_May_I: unknown;
  /** Lists the roles: those of the configuration, with where they stand (`at`), and those that were made by `Set_Role`. For super administrators only. */
  readonly List_Roles: unknown;
  /** Makes a role, or puts it in the place of the one of this name, at the next request of its members on every node. It is judged as one of the configuration, which it cannot change. For super administrators only. */
  readonly Set_Role: unknown;
  /** Removes a role that was made by `Set_Role`; false if there is none. For super administrators only. */
  readonly Remove_Role: unknown;
  /** Lists the sessions of the Admin Portal on all nodes, the newest first: to super administrators everybody’s, to others their own. Every administrator may call it. */
  readonly Admin_Sessions: unknown;
  /** Ends a session of the Admin Portal on every node, by its id in `Admin_Sessions`: super administrators anybody’s, others their own. */
  readonly End_Admin_Session: unknown;
  /** Reports the state of this server and, where asked, of the servers and services around it; with `keys`, for super administrators only, how many stored secrets each encryption key still holds, which goes through all entries. */
  readonly Server_Status: unknown;
  /** Lists the server processes that share the store, each with when it started, when it last reported that it runs, every 30 seconds, and when the certificates of its listeners end. One that died is listed for 90 seconds. */
  readonly List_Nodes: unknown;
  /** Reports the licence; with `product`, the limits of that product at the top level. */
  readonly Get_License_Details: unknown;
  /** Counts the activated users of all domains; one activation is good for every product. */
  readonly Count_Activated_Users: unknown;
  /** Counts the activated hosts: none, as long as there is nothing to activate a host for. */
  readonly Count_Activated_Hosts: unknown;
  /** Reads the event log of an application (`Manager`, `Otp`), the newest first; with `dn`, what was about that entry. Without it, only super administrators may. `dialect: deployed` answers the required fields only. */
  readonly Get_Event_Logs: unknown;
  /** Finds events of one or all applications, the newest first: by the entry, by a part of the address of the caller or the end user (`client`), by a part of the text, and by moments in UTC, `YYYY-MM-DD HH:MM:SS`. A page may have fewer events than `max`, and a next page all the same. Without `dn`, only super administrators may. */
  readonly Search_Event_Logs: unknown;
  /** Writes events as text, a line for each: a JSON object, or the Common Event Format. They are found as `Search_Event_Logs` finds them, up to `max`. */
  readonly Export_Event_Logs: unknown;
  /** Lists the places from which a user is known to the limits, the last one first. Their names are found in the event log: where it does not tell, a place has none. */
  readonly User_Places: unknown;
  /** Forgets what is cached of a kind (`all`, `ldap`, `config`, `adminrole`, `domain`, `client`, `optionset`, `tenant`, `mountpoint`, `webapp`, `websrv`, `cacert`, `admgrp`, `appmsg`, `lcache`); false for a kind that there is not. What is read from the directory is all that is cached, so that each of them forgets all. */
  readonly Clear_Caches: unknown;
  /** Names the configured objects of a type or, with `settings`, reads their settings. */
  readonly Get_Config_Objects: unknown;
  /** Lists the settings of the installation, each with its value, its description, its JSON Schema, and the layer that it comes from: the file, the settings at run time, or the preset. For super administrators only. */
  readonly List_Config: unknown;
  /** Returns the settings at run time of a version, and those of the file, both without secrets. For super administrators only. */
  readonly Get_Config: unknown;
  /** Changes settings at run time by a JSON Merge Patch (RFC 7396), in which null removes a setting. The change is in force at the next request on every node. It is validated as the file is, and refused as a whole where one setting is wrong, or where it would shut the caller out. For super administrators only; who administers and which callers are trusted wants a sign-in with a second factor within the last fifteen minutes. */
  readonly Set_Config: unknown;
  /** Lists the versions of the settings at run time, the newest first: when, who, and which settings. The last hundred are kept. For super administrators only. */
  readonly Config_History: unknown;
  /** Puts the settings at run time of an earlier version in force again, as a new version; 0 removes them all. It is judged as `Set_Config`. For super administrators only. */
  readonly Restore_Config: unknown;
  /** Lists the API keys of calling systems: owner, what each opens, its end, its state, its last use, and the layer of the configuration that has it; never a key or its digest. For super administrators only. */
  readonly List_API_Keys: unknown;
  /** Makes an API key of a calling system, and answers the key, which is shown only now: a new version of the settings at run time, in force at the next request on every node. Left out, `services` are all, `clients` all addresses, `client` the one that a request names, and `expires` never. It is judged as `Set_Config`, and wants a sign-in with a second factor within the last fifteen minutes. For super administrators only. */
  readonly Make_API_Key: unknown;
  /** Renews an API key that was made at run time, and answers the new key, which is shown only now. The key before is valid for `overlap` seconds as well, by default a day, at most 30 days; 0 ends it at once. Left out, `expires` stays. It is judged as `Make_API_Key`. For super administrators only. */
  readonly Renew_API_Key: unknown;
  /** Revokes an API key that was made at run time, and the key before it: both are refused at the next request on every node. It is judged as `Make_API_Key`. For super administrators only. */
  readonly Revoke_API_Key: unknown;
  /** Sets the mode of a client: 0 default, 1 step down, 2 step up, 3 no access; `timeout` in seconds. With `group`, it holds in the client’s policies for groups, too, and with `network` in those for networks; without, whom one of these is for keeps the configured mode. False for a client that is not configured. For super administrators only. */
  readonly Set_Client_Mode: unknown;
  /** Explains the settings in force for a user: the layer of each, and what it covers; with `client`, for logins by that client, and with `source`, from that address. */
  readonly Explain_User_Settings: unknown;
  /** Opens a web application (`selfdesk`, `pwreset`, `selfreg`, `openid`) to a user for `expires` seconds, at most 30 days, whatever locks it; 0 takes that back. */
  readonly Unlock_Application_Access: unknown;
  /** Makes random bytes, strong enough for keys. */
  readonly Get_Random_Bytes: unknown;
  /** Draws a text as a QR code, up to 2953 bytes of ASCII or 2952 of UTF-8, `(modules + 2·margin)·size` pixels wide; if not told otherwise, a GIF of size 5 and margin 4. `TXT` is for terminals, and has no size. */
  readonly Get_QRCode: unknown;
  /** Signs a certificate for the subject and the key of a request (PKCS #10; RSA of 2048 bits or more, or ECDSA on P-256, P-384 or P-521). For a user: `CN=<domain>\<username>`, `UID`, `DC=<domain>`, `description=USER`. For an administrator: `CN=<DN>`, `description=ADMIN`. For a system that calls the web services: `CN=<name>`, `description=CLIENT`, or no description where the name is that of a host. For the latter two only super administrators have one signed. `expires` is in days, 365 by default. */
  readonly Sign_certificate_Request: unknown;
  /** Confirms signing requests of calling systems without a super administrator for `expires` minutes (1, 5, 10, 15, 30 or 60; 0 ends it): a caller that may have certificates signed has those signed too. `application` limits it to requests whose subject names it in OU, `addresses` (addresses and networks, with commas between them) to requests from there. */
  readonly Cert_Auto_Confirm: unknown;
  /** Lists the certificates that were signed here for a user or administrator (`dn`) or, to super administrators, for a calling system (`client`); revoked ones too. */
  readonly List_Certificates: unknown;
  /** Revokes a certificate that was signed here, by its serial number in hexadecimal; false if it is revoked already. */
  readonly Revoke_Certificate: unknown;
  /** Takes a device into the inventory; an `OTP Token` comes with TokenType, TokenKey, TokenID, TokenState and TokenAlgorithm, a `PIV Device` with PublicKey (DER SubjectPublicKeyInfo). */
  readonly Import_Inventory_Item: unknown;
  /** Gives an item of the inventory to a user; without `dn` nobody has it any more. */
  readonly Link_Inventory_Item: unknown;
  /** Finds items of a type that meet all that is given, the oldest first: `filter` is the whole reference, `*` standing for anything; `start` and `stop` are moments in UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly Search_Inventory_Items: unknown;
  /** Sets `active` and `status` of all items of a type that `filter` and `linked` name; answers how many these are. */
  readonly Update_Inventory_Items: unknown;
  /** Tells what is known of an item of the inventory, and who has it; its secrets stay where they are. */
  readonly Get_Inventory_Item: unknown;
  /** Takes an item out of the inventory; a token that was registered from it stays with its user. */
  readonly Remove_Inventory_Item: unknown;
  /** Makes a copy of an object of another directory in `ou=sync`, or brings it up to date. `dn` and `uuid` are those that it has there; by `uuid` a copy is renamed with its object. */
  readonly Sync_LDAP_Object: unknown;
  /** Removes the copies of what stood below a container of another directory and is not among `contents`, the DNs that are there still; `[""]` and `[]` remove all. Tells how many copies of it are left. */
  readonly Sync_LDAP_Delete: unknown;
  /** Tells when a user has badged in, in seconds since 1970; false where the user has not, or is not there. */
  readonly Check_User_Badging: unknown;
  /** Sends a mail; with `certificate` (PEM) encrypted for its key (S/MIME). It is kept before it is answered, and tried until the mail server takes it over. */
  readonly Send_Mail: unknown;
  /** Sends an SMS. It is kept before it is answered, and tried until the gateway takes it over. */
  readonly Send_SMS: unknown;
  /** Sends a push message to a device, `<platform>:<push id>`, for an app by its word; `options` are `title`, `body`, `vibrate` and `category`, `data` is what the app gets beside. `timeout` is in seconds. */
  readonly Send_Push: unknown;
  readonly Otp: {
    /** Registers a HOTP token (RFC 4226); with a mobile session, once its QR code was scanned. */
    readonly HOTP_Register: unknown;
    /** Registers a TOTP token (RFC 6238); with a mobile session, once its QR code was scanned. */
    readonly TOTP_Register: unknown;
    /** Registers a token of the inventory, in the place of the token in the slot: `serial` is its reference or, of a Yubikey, what it types. `otp` has to be one of its codes, which is used up. */
    readonly Inventory_Register: unknown;
    /** Writes the otpauth:// URI of a HOTP token for a QR code, by the settings of the user that it names. */
    readonly HOTP_URI: unknown;
    /** Writes the otpauth:// URI of a TOTP token for a QR code, by the settings of the user that it names. */
    readonly TOTP_URI: unknown;
    /** Begins a mobile session, in which a soft token is registered by the scan of its QR code. */
    readonly Mobile_Session: unknown;
    /** Tells how a mobile session is: 1 confirmed, 2 waiting, 0 failed, over or unknown. */
    readonly Mobile_Response: unknown;
    /** Checks a code of a HOTP token without a user; returns the next counter, or false. */
    readonly HOTP_Verify: unknown;
    /** Checks a code of a TOTP token that belongs to nobody; `<step>:<drift>`, or false. */
    readonly TOTP_Verify: unknown;
    /** Puts the counter of a HOTP token forward; false if it is there or beyond already. */
    readonly HOTP_Resync_Counter: unknown;
    /** Finds a HOTP token that is far ahead by two codes in a row; false if they are not. */
    readonly HOTP_Resync_Sequence: unknown;
    /** Finds how far the clock of a TOTP token is off by one code; false if it is none. */
    readonly TOTP_Resync: unknown;
    /** Enables a token, also one that too many wrong codes have disabled. */
    readonly Token_Enable: unknown;
    /** Disables a token: it stays registered and does not log in. */
    readonly Token_Disable: unknown;
    /** Removes a token, and a registration that waits for its scan; false if there was none. */
    readonly Token_Unregister: unknown;
    /** Gives a token, a FIDO2 device or the printed list of a user the name that people know it by; without `name` none. False if there is no such factor. */
    readonly Factor_Rename: unknown;
    /** Tells when a token expires; false: never. */
    readonly Expire_Check: unknown;
    /** Lets a token expire after a number of days; preset: that of the settings, else 365. */
    readonly Expire_Start: unknown;
    /** Has a token never expire. */
    readonly Expire_Reset: unknown;
    /** Lists the tokens of a user. */
    readonly User_Tokens: unknown;
    /** Lists the kinds of one-time passwords that a user has now. */
    readonly User_Methods: unknown;
    /** Sets an emergency password, which is accepted wherever a one-time password is, and returns it. */
    readonly Emerg_Register: unknown;
    /** Takes the emergency password away; false if there was none. */
    readonly Emerg_Unregister: unknown;
    /** Sets the PIN before the codes of a user whose setting `Otp.OTPPrefix` wants one, and returns it; left out, one of 6 digits is made. */
    readonly Prefix_Register: unknown;
    /** Takes the PIN away, so that codes are given alone; false if there was none. */
    readonly Prefix_Unregister: unknown;
    /** Makes a list of one-time passwords to be printed, each good once, in any order. */
    readonly List_Register: unknown;
    /** Reads the codes of the list that are still good, in the order of the list. */
    readonly List_Fetch: unknown;
    /** Tells how many codes the list has, and how many of them were used. */
    readonly List_State: unknown;
    /** Removes the list; false if there was none. */
    readonly List_Unregister: unknown;
    /** Tells whether a user is refused anywhere, for how many seconds at most, and which failures count at the moment. */
    readonly Block_Check: unknown;
    /** Blocks a user for a number of seconds, by default until the block is reset, and ends its single sign-on sessions. */
    readonly Block_Start: unknown;
    /** Lets a blocked user in again and forgets the failures. */
    readonly Block_Reset: unknown;
    /** Begins the registration of a FIDO2 device: answers what the page hands to the browser, PublicKeyCredentialCreationOptionsJSON as text, with `random` (16 to 64 bytes) as its challenge. */
    readonly FIDO_Challenge: unknown;
    /** Registers a FIDO2 device, in the place of the one in the slot: `response` is what the browser gave (RegistrationResponseJSON) in base64, `random` as in FIDO_Challenge. */
    readonly FIDO_Register: unknown;
    /** Lets a FIDO2 device log in again; false if it may. */
    readonly FIDO_Enable: unknown;
    /** Lets a FIDO2 device log in no more, until it is enabled; false if it does not. */
    readonly FIDO_Disable: unknown;
    /** Removes a FIDO2 device; false if there was none. */
    readonly FIDO_Unregister: unknown;
    /** Lists the FIDO2 devices of a user. */
    readonly User_Devices: unknown;
    /** Registers a Yubikey that types Yubico OTPs, in the place of the token in the slot: `key` is its AES key (16 bytes), `secret` its private id (6), `public` its public id (up to 16). */
    readonly Yubikey_Register: unknown;
    /** Registers a Yubikey whose codes a verification server judges (`yubico` of the configuration), in the place of the token in the slot. `otp` is a code of it, which is used up. */
    readonly Yubicloud_Register: unknown;
    /** Tells in which slot the Yubikey is that has typed a code; 0: none has. The code is not used up. */
    readonly Yubikey_Locate: unknown;
    /** Sets the counter of a Yubikey back that was programmed again. Codes that have logged in stay used up. */
    readonly Yubikey_Reset: unknown;
    /** Tells of a user what it logs in with and when it did last; with `token`, `u2f`, `block` and `expire` its tokens, FIDO2 devices, block and the age of its password too. */
    readonly User_Report: unknown;
    /** Tells the same of all activated users of a domain, or of those that `filter` names, by DN; with the values of `settings` in force. False for an unknown domain. */
    readonly Domain_Report: unknown;
    /** Makes application passwords for a user, one for each client of the configuration, which stand in for all factors; `length` is 10, 15, 20 (default), 25 or 30, `expires` in days, by default never. Those of before are good no more. */
    readonly AppKey_Register: unknown;
    /** Reads the application passwords of a user, by clients. */
    readonly AppKey_Fetch: unknown;
    /** Removes the application passwords of a user; false if there were none. */
    readonly AppKey_Unregister: unknown;
    /** Sets a temporary password of a user, 10 to 30 characters, which replaces all factors, also the device of `LDAPU2F`, for `expires` minutes (1440 at most, by default 60). */
    readonly TmpKey_Register: unknown;
    /** Removes the temporary password of a user; false if there was none. */
    readonly TmpKey_Unregister: unknown;
    /** Registers an OCRA token (RFC 6287) of the suite that the settings name: `key` is 20, 32 or 64 bytes, `pin` for suites with P, `state` the next counter for suites with C. */
    readonly OCRA_Register: unknown;
    /** Puts the counter of an OCRA token forward; false if it is there or beyond already. */
    readonly OCRA_Resync_Counter: unknown;
    /** Finds the counter of an OCRA token that is far ahead, by two answers in a row to one challenge; false if they are not. */
    readonly OCRA_Resync_Sequence: unknown;
    /** Finds how far the clock of an OCRA token is off, by one answer to a challenge; false if it is nowhere. */
    readonly OCRA_Resync_Time: unknown;
    /** Sets the PIN of an OCRA token whose suite has one: 4 to 64 letters and digits. */
    readonly OCRA_Setpin: unknown;
    /** Would register how a user sounds (`sample`: WAV, 16 kHz, mono). Nothing here judges voices, so it is refused as `unavailable`: a print that logs nobody in must not look as if it did. */
    readonly Voice_Register: unknown;
  };
  readonly SshKey: {
    /** Makes an SSH key for a user, in the place of the one before, and answers the private key once: it is kept nowhere. `type` is RSA (`size` 2048, 3072, 4096), ECC (256, 384, 521) or ED25519; `expires` is in days, `maxuse` in sessions, 0 without end, by default as the settings say. */
    readonly Key_Register: unknown;
    /** Takes the public key of a user, in OpenSSH’s form or PEM, in the place of the one before. */
    readonly Key_Import: unknown;
    /** Takes the public key of a PIV device of the inventory as the SSH key of a user, in the place of the one before; `serial` is its reference. */
    readonly PIV_Register: unknown;
    /** Begins the registration of a key on a FIDO2 device: answers what the page hands to the browser, PublicKeyCredentialCreationOptionsJSON as text, with `random` (16 to 64 bytes) as its challenge. */
    readonly FIDO_Challenge: unknown;
    /** Takes a key on a FIDO2 device as the SSH key of a user, in the place of the one before: `response` is what the browser gave (RegistrationResponseJSON) in base64, `random` as in FIDO_Challenge. */
    readonly FIDO_Register: unknown;
    /** Writes a private key in another form, encrypted under `password` where there is one: PEM (PKCS #8) or PPK (PuTTY). It is kept nowhere. */
    readonly Key_Export: unknown;
    /** Changes how long (`expires`, in days from now) and how often (`maxuse`, sessions) the SSH key of a user is good; 0: without end. What is left out stays. */
    readonly Key_Restrict: unknown;
    /** Tells of the SSH key of a user its type, size, SHA-256 fingerprint as ssh-keygen prints it, comment, public key, and how long and for how many sessions more it is good; false if there is none. */
    readonly User_Key: unknown;
    /** Lists the recordings of the SSH sessions of a user, the last one first: which session, when, and how many bytes; `full`: a bound of `ssh_recordings` was met. */
    readonly User_Recordings: unknown;
    /** Answers what was shown in an SSH session, up to a megabyte, in base64; `next` is what `from` is for the rest, false: that was all. The event log has each call. */
    readonly Recording_Get: unknown;
    /** Removes the recording of an SSH session. */
    readonly Recording_Remove: unknown;
    /** Removes the SSH key of a user; false if there is none. */
    readonly Key_Unregister: unknown;
  };
  readonly Sso: {
    /** Lists the single sign-on sessions of a user, the oldest first, with an `id` that ends one and enters nowhere. */
    readonly User_Sessions: unknown;
    /** Ends a single sign-on session of a user, on every node; without `id` all of them. Answers how many have ended. */
    readonly Session_Stop: unknown;
  };
  readonly SelfDesk: {
    /** Tells users what the page of their own has for them and, where the settings let them see that, what the directory says of them. */
    readonly Overview: unknown;
    /** Lists the recent logins of a user, granted and refused, with the addresses that they came from. */
    readonly Recent_Logins: unknown;
    /** Lists the sessions of a user at the page of their own, the oldest first: since when, when used last to the minute, from which address, with which program. `Sso.User_Sessions` lists those of single sign-on. */
    readonly User_Sessions: unknown;
    /** Ends a session of a user at the page of their own, on every node; false if there is none of that `id`. */
    readonly End_Session: unknown;
    /** Ends all sessions of a user, at the page of their own and of single sign-on, and all links; with `others` all but the session that the call comes with. */
    readonly End_Sessions: unknown;
    /** Tells what the directory asks of a new password of a user, as far as the service may read it: `minLength` characters, none of the last `history`, `isComplex` for three kinds of characters and no name of the user, `refusesCommon` for none of a list of common ones. What is left out is not known. */
    readonly Password_Rules: unknown;
    /** Changes the password of a user as the user does, by the old one, and ends all sessions; false if the old one is wrong. */
    readonly Change_Password: unknown;
    /** Removes a token, a security key or the printed list of a user, while another second factor stays; false if there was none. */
    readonly Remove_Factor: unknown;
  };
  readonly PwReset: {
    /** Has a link sent to a user, by which a new password is set once; answers the link. `expires` is in hours; with `mfa` a code is asked for first; `comments` stand in the mail. What is left out is as the settings of the user say. */
    readonly Send_Request: unknown;
  };
  readonly SelfReg: {
    /** Has a link sent to a user, by which a token, a security key, a printed list, application passwords or an SSH key is registered once; answers the link. `expires` is in seconds, `comments` stand in the mail. What is left out is as the settings of the user say. */
    readonly Send_Request: unknown;
  };
}

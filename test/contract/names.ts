/** The names of the interface as servers in the field have them: facts, no tables of ours. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const below = (application: string, text: string) => words(text).map((name) => `${application}.${name}`);

export const contractMethods: readonly string[] = [
  ...words(`
    Create_LDAP_Object Check_LDAP_Object Activate_LDAP_Object Deactivate_LDAP_Object Move_LDAP_Object Rename_LDAP_Object
    Remove_LDAP_Object Search_LDAP_Objects Sync_LDAP_Object Sync_LDAP_Delete
    Get_User_Attrs Set_User_Attrs Remove_User_Attrs Get_User_Certificates Remove_User_Certificate Set_User_Password
    Check_User_Password
    Get_User_DN Get_User_Domains Get_User_Groups Get_User_IDs Count_Domain_Users Check_User_Active Check_User_Badging
    Unlock_Application_Access
    Set_User_Settings Get_User_Settings Set_User_Data Get_User_Data
    Import_Inventory_Item Link_Inventory_Item Search_Inventory_Items Update_Inventory_Items
    Send_Mail Send_SMS Send_Push
    Server_Status Get_License_Details Count_Activated_Users Count_Activated_Hosts Clear_Caches Get_Config_Objects
    Get_Event_Logs Set_Client_Mode
    Get_Random_Bytes Get_QRCode Sign_Certificate_Request Cert_Auto_Confirm
  `),
  ...below(
    'Otp',
    `
    HOTP_Register TOTP_Register HOTP_URI TOTP_URI HOTP_Verify TOTP_Verify HOTP_Resync_Counter HOTP_Resync_Sequence
    TOTP_Resync OCRA_Register OCRA_Resync_Counter OCRA_Resync_Sequence OCRA_Resync_Time OCRA_Setpin Inventory_Register
    Yubikey_Register Yubikey_Locate Yubikey_Reset Yubicloud_Register Token_Enable Token_Disable Token_Unregister
    Expire_Check Expire_Start Expire_Reset FIDO_Challenge FIDO_Register FIDO_Enable FIDO_Disable FIDO_Unregister
    User_Devices User_Tokens User_Methods User_Report Domain_Report Emerg_Register Emerg_Unregister
    AppKey_Register AppKey_Fetch AppKey_Unregister TmpKey_Register TmpKey_Unregister
    List_Register List_Fetch List_State List_Unregister Prefix_Register Prefix_Unregister
    Block_Check Block_Start Block_Reset Mobile_Session Mobile_Response Voice_Register
  `,
  ),
  ...below(
    'SshKey',
    'Key_Register Key_Import Key_Export Key_Restrict Key_Unregister PIV_Register FIDO_Challenge FIDO_Register',
  ),
  ...['PwReset.Send_Request', 'SelfReg.Send_Request'],
];

/** Operations of the interface in the field, by service. */
export const contractOperations: readonly string[] = words(`
  otpSimpleLogin otpNormalLogin otpLogin otpChallenge otpPKILogin otpNormalConfirm otpConfirmQRCode otpCheckConfirm
  otpCancelConfirm otpTouchConfirm otpNormalSign otpSignQRCode otpCheckSign otpCancelSign otpTouchSign otpSeal otpList
  otpListLogin otpListConfirm otpExternConfirm otpExternSign otpOfflineConfirm otpOfflineQRCode otpStartBadging
  otpCheckBadging otpStatus
  sshkeyNSSList sshkeyNSSInfo sshkeyAuthorizedKeys sshkeyRecoveryKeys sshkeySudoers sshkeySessionStart
  sshkeySessionUpdate sshkeySessionLogin sshkeySessionUnlock sshkeyPasswordChange sshkeyStatus
  smsSend smsSign smsStatus
  qrauthStart qrauthCheck qrauthOfflineCheck qrauthCancel qrauthSessionQR qrauthEncrypt qrauthStatus
  ssoStart ssoCheck ssoStop ssoStatus
`);

/** Settings of the interface in the field, of the applications that have some. */
export const contractSettings: readonly string[] = [
  ...below(
    'Otp',
    `
    BlockTime ChallengeTimeout EnableLogin HOTPLookAheadWindow LastOTPTime ListSize LoginMode MailMode MaxTries
    MobileTimeout OCRASuite OTPFallback OTPLength OTPPrefix OTPType PasswordReset PushLogin ReplyData SMSMode SMSType
    SecureMail SelfRegister TOTPTimeOffsetWindow TOTPTimeStep TokenExpire ValidFrom ValidTo BlockNotify ExpireNotify
    ChallengeMode
    BadgingMode BadgingArea BadgingLocations BadgingData EnableConfirm LastOTPPerIP ListAlgorithm ListChallengeMode
    LockTimer MaxIdle MaxWeak WeakNotify OfflineExpire PrefetchExpire PasswordCheck PushCommit PushVoice RecordEvents
    U2FPINMode
  `,
  ),
  ...below(
    'SshKey',
    `
    AllowedGroup EnableLogin EnvVariables KeyExpire KeyMaxUse LockSessionTime MaxSessionTime RecordSessions
    RecordAuditLogs RequireMFA SudoCommands ValidFrom ValidTo PasswordChange
    AddressFilter AllowedTags ForwardFilter AgentForwarding PortForwarding X11Forwarding PTYAllocation AllowKeyFiles
    AllowUserCerts PasswordReset SelfRegister ExpireNotify SessionBadgeOut RemoteCommand GuestAccount OTPType OTPTypeNI
    KeyType
  `,
  ),
  ...below('Sso', 'SessionTimeout SessionRenew'),
  ...below(
    'HelpDesk',
    `
    AllowOtp AllowSshKey AllowPKI AllowPassword AllowRegister AllowUserInfos AllowOTPTypes AllowTokenTypes
    AllowSSHKeyTypes DefaultTokenType EmergencyExpire EmergencyMaxUse AllowUnlock AllowUserActivation SendPin
    SendPinMessage MaxTokens UserSearchAttrs UserSearchScopes
  `,
  ),
  ...below(
    'SelfDesk',
    `
    AllowOtp AllowSshKey AllowPKI AllowPassword AllowRegister AllowUserInfos AllowOTPTypes AllowTokenTypes
    AllowSSHKeyTypes DefaultTokenType EmergencyExpire EmergencyMaxUse AllowBadging AllowSign CertValidity
    KeyPasswordLength
  `,
  ),
  ...below(
    'SelfReg',
    `
    AllowRegister AllowTokenTypes AllowSSHKeyTypes DefaultTokenType CertValidity KeyPasswordLength LinkMode LinkTime
    SMSType SecureMail
  `,
  ),
  ...below(
    'PwReset',
    `
    AllowUnlock LinkMode LinkTime SMSType SecureMail PasswordMinLength PasswordMaxLength PasswordStrength
    PasswordByLength PasswordAlpha PasswordNumeric PasswordSymbol PasswordCase
  `,
  ),
  ...below('OpenID', 'SessionTimeout ApplicationSSO AutoConfirm CloudRoleNames CloudSessionTime'),
];

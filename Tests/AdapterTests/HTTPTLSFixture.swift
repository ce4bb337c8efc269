/// A self-signed certificate for 127.0.0.1, good for a hundred years, and its key, which protects nothing.
enum TLSFixture {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBkTCCATagAwIBAgIUIWfR4+/Bs0CgzhrKdFhaZBw6/7owCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEzMDE0MTQyMVoYDzIxMjYxMTA2
        MTQxNDIxWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQawRtLQUPfYm7A6ugDPSR6MiiOLsG5aFnO37wZkoRP86Y7FzmGzBfc
        9CIYg1ULHcSIu5s2ev4bhE1soCGy4428o2QwYjAdBgNVHQ4EFgQUv6v7wlSId273
        rpdisnoyQl1zF9MwHwYDVR0jBBgwFoAUv6v7wlSId273rpdisnoyQl1zF9MwDwYD
        VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0kAMEYC
        IQD+tGsGbpwmekB+lC4u9Zpe5SwYooia/3l/eSPUQ7kk+QIhAMYP4OmgFUUriFn1
        vsgGVz3bujYYtgsOU/q3jAGGKsQB
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgm9XTNi5vGwdJwtc4
        uc7YKJfNpHjjpwQCugbKFXN1GO6hRANCAAQawRtLQUPfYm7A6ugDPSR6MiiOLsG5
        aFnO37wZkoRP86Y7FzmGzBfc9CIYg1ULHcSIu5s2ev4bhE1soCGy4428
        -----END PRIVATE KEY-----
        """
}

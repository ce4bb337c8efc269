/// What `task export` of Taskwarrior 2.6.2 wrote of made-up tasks, byte for byte.
enum Samples {
    /// As it exports by default.
    static let export = #"""
        [
        {"id":1,"description":"Buy milk, eggs & \"good\" bread","due":"20270115T000000Z","entry":"20261130T092222Z","modified":"20261130T092222Z","priority":"H","project":"home.shop","status":"pending","uuid":"884dd409-4eb2-4063-a8e1-9f48c4b493c2","annotations":[{"entry":"20261130T092222Z","description":"ask Anna: which shop?"},{"entry":"20261130T092223Z","description":"see https:\/\/example.com\/a?b=c"}],"tags":["shop"],"urgency":19.1},
        {"id":2,"client":"Ö & Söhne","description":"Überweisung Miete → Konto 42","due":"20261130T235959Z","entry":"20261130T092222Z","estimate":2.5,"modified":"20261130T092222Z","project":"Haus","start":"20261130T092222Z","status":"pending","uuid":"ab1c634b-ecc7-4f34-b26d-774804ad865c","urgency":13.5214},
        {"id":3,"description":"Write report","entry":"20261130T092222Z","modified":"20261130T092222Z","scheduled":"20270110T000000Z","status":"pending","uuid":"b159ea67-a5ec-4eb7-af0b-1a7e987f5623","wait":"20270105T000000Z","tags":["work"],"depends":["884dd409-4eb2-4063-a8e1-9f48c4b493c2"],"urgency":-7.2},
        {"id":4,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","mask":"-","modified":"20261130T092222Z","recur":"weekly","rtype":"periodic","status":"recurring","until":"20280101T000000Z","uuid":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","urgency":2.4},
        {"id":5,"description":"Emoji 🎉 and a very long line with a backslash \\ and a slash \/ here","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"pending","uuid":"8db43487-fdfd-4806-a3dc-dcc3c4906e7b","urgency":0},
        {"id":6,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","imask":0,"modified":"20261130T092222Z","parent":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","recur":"weekly","rtype":"periodic","status":"pending","until":"20280101T000000Z","uuid":"4516a8d5-8a20-454f-a9eb-59017710eb9c","urgency":2.4},
        {"id":0,"description":"Old thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"completed","uuid":"04db3f12-c2ae-421b-96a8-baf66338a897","urgency":0},
        {"id":0,"description":"Wrong thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"deleted","uuid":"edce3042-e590-41d4-a160-c5ee549c8bd2","urgency":0}
        ]

        """#

    /// With `rc.json.array=off`.
    static let lines = #"""
        {"id":1,"description":"Buy milk, eggs & \"good\" bread","due":"20270115T000000Z","entry":"20261130T092222Z","modified":"20261130T092222Z","priority":"H","project":"home.shop","status":"pending","uuid":"884dd409-4eb2-4063-a8e1-9f48c4b493c2","annotations":[{"entry":"20261130T092222Z","description":"ask Anna: which shop?"},{"entry":"20261130T092223Z","description":"see https:\/\/example.com\/a?b=c"}],"tags":["shop"],"urgency":19.1}
        {"id":2,"client":"Ö & Söhne","description":"Überweisung Miete → Konto 42","due":"20261130T235959Z","entry":"20261130T092222Z","estimate":2.5,"modified":"20261130T092222Z","project":"Haus","start":"20261130T092222Z","status":"pending","uuid":"ab1c634b-ecc7-4f34-b26d-774804ad865c","urgency":13.5214}
        {"id":3,"description":"Write report","entry":"20261130T092222Z","modified":"20261130T092222Z","scheduled":"20270110T000000Z","status":"pending","uuid":"b159ea67-a5ec-4eb7-af0b-1a7e987f5623","wait":"20270105T000000Z","tags":["work"],"depends":["884dd409-4eb2-4063-a8e1-9f48c4b493c2"],"urgency":-7.2}
        {"id":4,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","mask":"-","modified":"20261130T092222Z","recur":"weekly","rtype":"periodic","status":"recurring","until":"20280101T000000Z","uuid":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","urgency":2.4}
        {"id":5,"description":"Emoji 🎉 and a very long line with a backslash \\ and a slash \/ here","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"pending","uuid":"8db43487-fdfd-4806-a3dc-dcc3c4906e7b","urgency":0}
        {"id":6,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","imask":0,"modified":"20261130T092222Z","parent":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","recur":"weekly","rtype":"periodic","status":"pending","until":"20280101T000000Z","uuid":"4516a8d5-8a20-454f-a9eb-59017710eb9c","urgency":2.4}
        {"id":0,"description":"Old thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"completed","uuid":"04db3f12-c2ae-421b-96a8-baf66338a897","urgency":0}
        {"id":0,"description":"Wrong thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"deleted","uuid":"edce3042-e590-41d4-a160-c5ee549c8bd2","urgency":0}

        """#

    /// Exported again, after it had imported its own export: numbers are written otherwise.
    static let exportAfterImport = #"""
        [
        {"id":1,"description":"Buy milk, eggs & \"good\" bread","due":"20270115T000000Z","entry":"20261130T092222Z","modified":"20261130T092222Z","priority":"H","project":"home.shop","status":"pending","uuid":"884dd409-4eb2-4063-a8e1-9f48c4b493c2","annotations":[{"entry":"20261130T092222Z","description":"ask Anna: which shop?"},{"entry":"20261130T092223Z","description":"see https:\/\/example.com\/a?b=c"}],"tags":["shop"],"urgency":19.1},
        {"id":2,"client":"Ö & Söhne","description":"Überweisung Miete → Konto 42","due":"20261130T235959Z","entry":"20261130T092222Z","estimate":2.500000,"modified":"20261130T092222Z","project":"Haus","start":"20261130T092222Z","status":"pending","uuid":"ab1c634b-ecc7-4f34-b26d-774804ad865c","urgency":13.5214},
        {"id":3,"description":"Write report","entry":"20261130T092222Z","modified":"20261130T092222Z","scheduled":"20270110T000000Z","status":"pending","uuid":"b159ea67-a5ec-4eb7-af0b-1a7e987f5623","wait":"20270105T000000Z","tags":["work"],"depends":["884dd409-4eb2-4063-a8e1-9f48c4b493c2"],"urgency":-7.2},
        {"id":4,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","mask":"-","modified":"20261130T092222Z","recur":"weekly","rtype":"periodic","status":"recurring","until":"20280101T000000Z","uuid":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","urgency":2.4},
        {"id":5,"description":"Emoji 🎉 and a very long line with a backslash \\ and a slash \/ here","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"pending","uuid":"8db43487-fdfd-4806-a3dc-dcc3c4906e7b","urgency":0},
        {"id":6,"description":"Water plants","due":"20270103T000000Z","entry":"20261130T092222Z","imask":0.000000,"modified":"20261130T092222Z","parent":"c6ebbe97-cc7d-4fa8-9bf8-632ba76930ed","recur":"weekly","rtype":"periodic","status":"pending","until":"20280101T000000Z","uuid":"4516a8d5-8a20-454f-a9eb-59017710eb9c","urgency":2.4},
        {"id":0,"description":"Old thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"completed","uuid":"04db3f12-c2ae-421b-96a8-baf66338a897","urgency":0},
        {"id":0,"description":"Wrong thing","end":"20261130T092222Z","entry":"20261130T092222Z","modified":"20261130T092222Z","status":"deleted","uuid":"edce3042-e590-41d4-a160-c5ee549c8bd2","urgency":0}
        ]

        """#

    static let all = [export, lines, exportAfterImport]
}
